import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The errors of withdrawals and bank cards. */
export const withdrawRefusals: Readonly<Record<string, MessageDescriptor>> = {
  'withdraw.identity': msg({
    id: 'errors.withdraw.identity',
    message: 'Verify your identity first',
  }),
  'withdraw.turnover': msg({
    id: 'errors.withdraw.turnover',
    message: 'Your deposits have not been played enough yet',
  }),
  'withdraw.balance': msg({
    id: 'errors.withdraw.balance',
    message: 'This is more than you can withdraw',
  }),
  'withdraw.password': msg({
    id: 'errors.withdraw.password',
    message: 'The payment password is not right',
  }),
  'withdraw.amount': msg({
    id: 'errors.withdraw.amount',
    message: 'This amount cannot be withdrawn',
  }),
  'withdraw.per_day': msg({
    id: 'errors.withdraw.per_day',
    message: 'No more withdrawals are possible today',
  }),
  'withdraw.card': msg({ id: 'errors.withdraw.card', message: 'This bank card does not exist' }),
  'withdraw.number': msg({
    id: 'errors.withdraw.number',
    message: 'This is not an account number',
  }),
  'withdraw.bank': msg({ id: 'errors.withdraw.bank', message: 'Choose a bank from the list' }),
  'withdraw.same_card': msg({
    id: 'errors.withdraw.same_card',
    message: 'You have added this bank card before',
  }),
  'withdraw.max_cards': msg({
    id: 'errors.withdraw.max_cards',
    message: 'You have the most bank cards that are possible',
  }),
  'withdraw.unknown': msg({
    id: 'errors.withdraw.unknown',
    message: 'This withdrawal does not exist',
  }),
};
