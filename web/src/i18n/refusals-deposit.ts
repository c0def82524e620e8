import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The errors of deposits, transfers and jackpots. */
export const depositRefusals: Readonly<Record<string, MessageDescriptor>> = {
  'deposit.amount': msg({
    id: 'errors.deposit.amount',
    message: 'Enter an amount from {min} to {max}',
  }),
  'deposit.method': msg({
    id: 'errors.deposit.method',
    message: 'This way to deposit is not open now. Please choose another',
  }),
  'deposit.state': msg({
    id: 'errors.deposit.state',
    message: 'This deposit has ended or is already being checked',
  }),
  'deposit.unknown': msg({
    id: 'errors.deposit.unknown',
    message: 'This deposit does not exist',
  }),
  'deposit.picture': msg({
    id: 'errors.deposit.picture',
    message: 'This file cannot be used. Choose a PNG, JPEG or WebP picture of at most 5 MB',
  }),
  'transfer.amount': msg({
    id: 'errors.transfer.amount',
    message: 'Enter an amount above zero',
  }),
  'transfer.wallet': msg({
    id: 'errors.transfer.wallet',
    message: 'Choose two different wallets',
  }),
  'transfer.balance': msg({
    id: 'errors.transfer.balance',
    message: 'This wallet holds less than that',
  }),
  'jackpot.none': msg({
    id: 'errors.jackpot.none',
    message: 'No jackpot is being played for',
  }),
  'jackpot.no_draw': msg({
    id: 'errors.jackpot.no_draw',
    message: 'This series has no draw of that number',
  }),
};
