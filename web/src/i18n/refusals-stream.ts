import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export const streamRefusals: Readonly<Record<string, MessageDescriptor>> = {
  'stream.unknown': msg({
    id: 'errors.stream.unknown',
    message: 'This live stream does not exist',
  }),
  'stream.closed': msg({
    id: 'errors.stream.closed',
    message: 'The chat of this live stream is closed',
  }),
  'stream.muted': msg({
    id: 'errors.stream.muted',
    message: 'You cannot write here for a while, because a message broke the rules',
  }),
  'stream.empty': msg({ id: 'errors.stream.empty', message: 'Write something first' }),
};
