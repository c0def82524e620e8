import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export const chatRefusals: Readonly<Record<string, MessageDescriptor>> = {
  'chat.offline': msg({
    id: 'errors.chat.offline',
    message: 'Customer service is closed. Leave a message',
  }),
  'chat.ended': msg({ id: 'errors.chat.ended', message: 'This chat has ended' }),
  'chat.rated': msg({ id: 'errors.chat.rated', message: 'This chat cannot be rated' }),
  'chat.empty': msg({ id: 'errors.chat.empty', message: 'Write something first' }),
  'chat.picture': msg({
    id: 'errors.chat.picture',
    message: 'This file cannot be used. Choose a PNG, JPEG or WebP picture of at most 5 MB',
  }),
  'chat.unknown': msg({ id: 'errors.chat.unknown', message: 'This picture does not exist' }),
};
