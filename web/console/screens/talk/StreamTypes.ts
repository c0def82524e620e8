import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export type Stream = {
  id: string;
  title: string;
  status: string;
  names: Record<string, string>;
  host: string;
  url: string;
  poster: string;
  games: string[] | null;
  active: boolean;
  streaming: boolean;
  recorded: boolean;
  chat: boolean;
  startsAt: number;
  endsAt: number;
  lastSeq: number;
  version: number;
};

export type StreamLine = {
  seq: number;
  memberId: string;
  username: string;
  /** Operator who wrote it. */
  operator?: string;
  text: string;
  at: number;
  hiddenBy?: string;
  mutedUntil: number;
};

export const streamsPath = '/ops/v1/streams';

export const blankStream: Stream = {
  id: '',
  title: '',
  status: '',
  names: {},
  host: '',
  url: '',
  poster: '',
  games: [],
  active: true,
  streaming: false,
  recorded: false,
  chat: true,
  startsAt: 0,
  endsAt: 0,
  lastSeq: 0,
  version: 0,
};

/** The values of the form. */
type StreamDraft = Pick<
  Stream,
  | 'names'
  | 'host'
  | 'url'
  | 'poster'
  | 'games'
  | 'active'
  | 'recorded'
  | 'chat'
  | 'startsAt'
  | 'endsAt'
>;

export function streamDraft(stream: Stream): StreamDraft {
  const { names, host, url, poster, games, active, recorded, chat, startsAt, endsAt } = stream;
  return { names, host, url, poster, games, active, recorded, chat, startsAt, endsAt };
}

export const streamStatuses: Record<string, { label: MessageDescriptor; color: string }> = {
  live: { label: msg`On air`, color: 'green' },
  off: { label: msg`Stopped`, color: 'gray' },
  scheduled: { label: msg`Scheduled`, color: 'blue' },
  ended: { label: msg`Ended`, color: 'gray' },
  hidden: { label: msg`Hidden`, color: 'red' },
};
