import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The errors of limits, breaks, deposits and jackpots. */
export const limitRefusals: Readonly<Record<string, MessageDescriptor>> = {
  'limits.reached': msg({
    id: 'errors.limits.reached',
    message: 'This would go beyond a limit that you have set',
  }),
  'limits.excluded': msg({
    id: 'errors.limits.excluded',
    message: 'You are taking a break from play. You can still withdraw',
  }),
  'limits.check_due': msg({
    id: 'errors.limits.check_due',
    message: 'Have a look at how long ago you began, then go on',
  }),
  'limits.nothing_waits': msg({
    id: 'errors.limits.nothing_waits',
    message: 'No change of this limit is waiting',
  }),
  'limits.too_soon': msg({
    id: 'errors.limits.too_soon',
    message: 'This change can only be confirmed after 24 hours',
  }),
  'limits.break_stands': msg({
    id: 'errors.limits.break_stands',
    message: 'Your break already lasts longer, and a break is never made shorter',
  }),
  'limits.break': msg({
    id: 'errors.limits.break',
    message: 'You are taking a break. You cannot deposit, but you can still withdraw',
  }),
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
  'limits.held': msg({
    id: 'errors.limits.held',
    message:
      'We are checking the details of your account. You cannot play or deposit until then. Customer service can help you',
  }),
  'jackpot.none': msg({
    id: 'errors.jackpot.none',
    message: 'No jackpot is being played for',
  }),
  'jackpot.no_draw': msg({
    id: 'errors.jackpot.no_draw',
    message: 'This series has no draw of that number',
  }),
  'member.bind_not_possible': msg({
    id: 'errors.member.bind_not_possible',
    message: 'This cannot be bound to your account. Please contact customer service',
  }),
};
