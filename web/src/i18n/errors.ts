import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

import { refusals } from './refusals.ts';

/** The errors that any request of home may have. They are part of the first load. */
const common: Readonly<Record<string, MessageDescriptor>> = {
  'system.error': msg({ id: 'errors.system.error', message: 'System error, try again later' }),
  'system.error.reference': msg({
    id: 'errors.system.error.reference',
    message: 'System error, try again later (reference {requestId})',
  }),
  'system.unavailable': msg({
    id: 'errors.system.unavailable',
    message: 'System upgrading, please try again later',
  }),
  'network.offline': msg({
    id: 'errors.network.offline',
    message: 'Network offline or unstable',
  }),
  'network.unstable': msg({
    id: 'errors.network.unstable',
    message: 'Network offline or unstable',
  }),
  'request.timeout': msg({
    id: 'errors.request.timeout',
    message: 'The server took too long to answer, please try again',
  }),
  'login.not.session': msg({
    id: 'errors.login.not.session',
    message: 'You are not logged in, please login first',
  }),
  'user.or.token.invalid': msg({
    id: 'errors.user.or.token.invalid',
    message: 'Logged out, please log in again',
  }),
  'system.maintenance': msg({
    id: 'errors.system.maintenance',
    message: 'System under maintenance, please come back later',
  }),
  'system.restricted': msg({
    id: 'errors.system.restricted',
    message: 'IP restricted: access denied',
  }),
};

/**
 * Returns the message of each error code of the server. The message id is `errors.<code>`. An unknown code is shown as a system error with
 * its request id.
 */
export const errorMessages = (): Readonly<Record<string, MessageDescriptor>> => ({
  ...common,
  ...refusals(),
});
