import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The errors that any bet may have. */
export const playRefusals: Readonly<Record<string, MessageDescriptor>> = {
  request_param_err: msg({
    id: 'errors.request_param_err',
    message: 'Something you entered is not valid',
  }),
  'rate.limited': msg({
    id: 'errors.rate.limited',
    message: 'Too many attempts, please wait a moment and try again',
  }),
  'idempotency.conflict': msg({
    id: 'errors.idempotency.conflict',
    message: 'This was already sent with other details. Check them and send again.',
  }),
  'ledger.insufficient_funds': msg({
    id: 'errors.ledger.insufficient_funds',
    message: 'Your balance is not enough',
  }),
};
