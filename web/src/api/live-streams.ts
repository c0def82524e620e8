import { queryOptions, type QueryClient } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { sessionStore } from '../lib/storage.ts';
import { newClientId } from './chat.ts';
import { client, requestHeaders, value } from './client.ts';
import type { components } from './schema.d.ts';
import { currentSession } from './session.ts';
import { openStream } from './stream.ts';

export type ListedStream = components['schemas']['StreamListed'];
export type LiveStream = components['schemas']['StreamView'];
export type StreamMessage = components['schemas']['StreamMessage'];
export type StreamReaction = components['schemas']['StreamReaction'];
type Pulse = components['schemas']['StreamPulse'];

const streamsKey = ['liveStreams'] as const;

/** The streams that members see. A stream that starts or stops appears with the next request. */
export const liveStreamsQuery = (language: Language) =>
  queryOptions({
    queryKey: [...streamsKey, 'list', language],
    queryFn: async (): Promise<readonly ListedStream[]> =>
      (await value(client.GET('/wps/liveStreams'))).list ?? [],
    refetchInterval: 30_000,
  });

export const streamingPollMs = 30_000;
const waitingPollMs = 15_000;

export const liveStreamQuery = (id: string, language: Language) =>
  queryOptions({
    queryKey: [...streamsKey, 'one', id, language, currentSession()?.userName ?? ''],
    queryFn: (): Promise<LiveStream> =>
      value(client.GET('/wps/liveStreams/{id}', { params: { path: { id } } })),
    // A scheduled stream starts and ends without an event.
    refetchInterval: ({ state: { data } }) => (data?.streaming ? streamingPollMs : waitingPollMs),
  });

const messagesKey = (id: string) => [...streamsKey, 'messages', id] as const;

/** Older messages than these are dropped, so that a long evening does not fill the memory. */
const maxMessages = 200;

/** The last messages. Later ones come as events. */
export const streamMessagesQuery = (id: string) =>
  queryOptions({
    queryKey: messagesKey(id),
    queryFn: async (): Promise<readonly StreamMessage[]> => {
      const params = { path: { id }, query: { before: Number.MAX_SAFE_INTEGER } };
      return (await value(client.GET('/wps/liveStreams/{id}/messages', { params }))).list ?? [];
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Adds a message. Each number is there once, in order, and own messages stay marked. */
function withMessage(
  list: readonly StreamMessage[],
  message: StreamMessage,
): readonly StreamMessage[] {
  const known = list.find(({ seq }) => seq === message.seq);
  const rest = list.filter(({ seq }) => seq !== message.seq);
  const added = { ...message, mine: message.mine === true || known?.mine === true };
  return [...rest, added].toSorted((a, b) => a.seq - b.seq).slice(-maxMessages);
}

export async function sendStreamMessage(
  cache: QueryClient,
  id: string,
  body: { clientId: string; text: string },
): Promise<void> {
  const params = { path: { id } };
  const sent = await value(client.POST('/wps/liveStreams/{id}/messages', { params, body }));
  cache.setQueryData(streamMessagesQuery(id).queryKey, (list = []) => withMessage(list, sent));
}

const viewerKey = 'stream-viewer';

/** Identifies this browser among the viewers. */
function viewerId(): string {
  const known = sessionStore.get(viewerKey) ?? newClientId();
  sessionStore.set(viewerKey, known);
  return known;
}

/** Regularly reports to the server that this browser watches a stream. Reads how many watch and how they react. */
export const streamPulseQuery = (id: string) =>
  queryOptions({
    queryKey: [...streamsKey, 'pulse', id],
    queryFn: (): Promise<Pulse> => {
      const params = { path: { id } };
      const body = { viewer: viewerId() };
      return value(client.POST('/wps/liveStreams/{id}/watch', { params, body }));
    },
    refetchInterval: 20_000,
  });

function applyReaction(cache: QueryClient, id: string, reaction: StreamReaction): void {
  cache.setQueryData(
    streamPulseQuery(id).queryKey,
    (pulse) =>
      pulse && {
        ...pulse,
        reactions: pulse.reactions.map((each) =>
          // An older event may arrive after a newer response.
          each.kind === reaction.kind && each.total < reaction.total ? reaction : each,
        ),
      },
  );
}

export async function sendReaction(
  cache: QueryClient,
  id: string,
  kind: StreamReaction['kind'],
): Promise<void> {
  const params = { path: { id } };
  const body = { kind };
  applyReaction(
    cache,
    id,
    await value(client.POST('/wps/liveStreams/{id}/reactions', { params, body })),
  );
}

/** Handles an event of a stream's viewers. */
export function receiveStreamEvent(
  cache: QueryClient,
  id: string,
  { event, data }: { event: string; data: string },
): void {
  const { queryKey } = streamMessagesQuery(id);
  if (event === 'message') {
    const message = JSON.parse(data) as StreamMessage;
    cache.setQueryData(queryKey, (list = []) => withMessage(list, message));
  } else if (event === 'hidden') {
    const { seq } = JSON.parse(data) as { seq: number };
    cache.setQueryData(queryKey, (list = []) => list.filter((each) => each.seq !== seq));
  } else if (event === 'reaction') {
    applyReaction(cache, id, JSON.parse(data) as StreamReaction);
  } else if (event === 'changed') {
    void cache.invalidateQueries({ queryKey: [...streamsKey, 'one', id] });
  }
}

/** Follows a stream's chat and changes. Returns a function that ends it. */
export const followStream = (cache: QueryClient, id: string): (() => void) =>
  openStream({
    open: (signal) =>
      fetch(`/wps/liveStreams/${id}/events`, {
        headers: requestHeaders(),
        signal,
        cache: 'no-store',
      }),
    onEvent: (event) => receiveStreamEvent(cache, id, event),
    // What happened before the connection is read again, also what was hidden.
    onOpen: () => {
      void cache.invalidateQueries({ queryKey: messagesKey(id) });
      void cache.invalidateQueries({ queryKey: [...streamsKey, 'one', id] });
    },
    onRefused: () => {},
  });
