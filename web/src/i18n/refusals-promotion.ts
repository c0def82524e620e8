import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export const promotionRefusals: Readonly<Record<string, MessageDescriptor>> = {
  'promotion.unknown': msg({
    id: 'errors.promotion.unknown',
    message: 'This promotion does not exist',
  }),
  'promotion.not_open': msg({
    id: 'errors.promotion.not_open',
    message: 'This promotion takes no applications now',
  }),
  'promotion.applied': msg({
    id: 'errors.promotion.applied',
    message: 'You have had this promotion already',
  }),
  'promotion.code': msg({
    id: 'errors.promotion.code',
    message: 'This code is not valid',
  }),
  'promotion.used_up': msg({
    id: 'errors.promotion.used_up',
    message: 'All rewards of this promotion are gone',
  }),
  'promotion.person': msg({
    id: 'errors.promotion.person',
    message: 'Another account of yours has had this promotion. It is one for each person.',
  }),
  'promotion.images': msg({
    id: 'errors.promotion.images',
    message: 'Send at most {max} pictures',
  }),
  'promotion.picture': msg({
    id: 'errors.promotion.picture',
    message: 'Send pictures in PNG or JPG format, at most 5 MB each',
  }),
  'promotion.remark': msg({
    id: 'errors.promotion.remark',
    message: 'The remark has at most {max} characters',
  }),
  'reward.unknown': msg({
    id: 'errors.reward.unknown',
    message: 'This reward does not exist',
  }),
  'loyalty.off': msg({
    id: 'errors.loyalty.off',
    message: 'This is not offered at the moment',
  }),
  'checkin.done': msg({
    id: 'errors.checkin.done',
    message: 'You have checked in today. Come back tomorrow.',
  }),
  'checkin.person': msg({
    id: 'errors.checkin.person',
    message: 'Another account of yours has checked in today',
  }),
  'checkin.month': msg({
    id: 'errors.checkin.month',
    message: 'This month does not exist',
  }),
  'rebate.claimed': msg({
    id: 'errors.rebate.claimed',
    message: 'The cash back of this period was claimed',
  }),
  'rebate.nothing': msg({
    id: 'errors.rebate.nothing',
    message: 'There is no cash back to claim for this period',
  }),
  'reward.state': msg({
    id: 'errors.reward.state',
    message: 'This reward was claimed or has ended',
  }),
  'reward.bonus': msg({
    id: 'errors.reward.bonus',
    message: 'Another bonus is running. Finish it or give it up first.',
  }),
};
