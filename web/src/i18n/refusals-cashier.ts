import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The errors of deposits. */
export const cashierRefusals: Readonly<Record<string, MessageDescriptor>> = {
  'deposit.amount': msg({
    id: 'errors.deposit.amount',
    message: 'This amount cannot be deposited this way. Check the limits of the method',
  }),
  'deposit.method': msg({
    id: 'errors.deposit.method',
    message: 'This way to deposit is not available now',
  }),
  'deposit.state': msg({
    id: 'errors.deposit.state',
    message: 'This deposit can no longer be changed',
  }),
  'deposit.unknown': msg({
    id: 'errors.deposit.unknown',
    message: 'This deposit does not exist',
  }),
  'deposit.picture': msg({
    id: 'errors.deposit.picture',
    message: 'Please upload a PNG or JPG picture of at most 5 MB',
  }),
  'limits.break': msg({
    id: 'errors.limits.break',
    message: 'You are taking a break, so deposits are closed. You can still withdraw',
  }),
};
