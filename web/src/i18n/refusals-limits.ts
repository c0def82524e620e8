import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The errors of limits and breaks. */
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
  'limits.held': msg({
    id: 'errors.limits.held',
    message:
      'We are checking the details of your account. You cannot play or deposit until then. Customer service can help you',
  }),
};
