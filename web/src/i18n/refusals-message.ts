import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The errors of the inbox, of notifications and of feedback. */
export const messageRefusals: Readonly<Record<string, MessageDescriptor>> = {
  'message.unknown': msg({
    id: 'errors.message.unknown',
    message: 'This message does not exist any more',
  }),
  'message.choice': msg({
    id: 'errors.message.choice',
    message: 'This notification cannot be switched off',
  }),
  'message.subscription': msg({
    id: 'errors.message.subscription',
    message: 'This browser cannot receive notifications',
  }),
  'feedback.category': msg({
    id: 'errors.feedback.category',
    message: 'Choose what it is about',
  }),
  'feedback.images': msg({
    id: 'errors.feedback.images',
    message: 'You can send at most {max} pictures',
  }),
  'feedback.format': msg({
    id: 'errors.feedback.format',
    message: 'Only PNG and JPG pictures can be sent',
  }),
  'feedback.too_large': msg({
    id: 'errors.feedback.too_large',
    message: 'A picture may have at most 5 MB',
  }),
  'feedback.no_image': msg({
    id: 'errors.feedback.no_image',
    message: 'This picture does not exist',
  }),
};
