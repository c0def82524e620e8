import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { type Language, wireLanguage } from '../i18n/languages.ts';
import { chatKey, chatUnreadQuery } from './chat-unread.ts';
import { client, requestHeaders, value } from './client.ts';
import type { components } from './schema.d.ts';
import { isRealAccount, type Session } from './session.ts';
import { openStream } from './stream.ts';
import { upload } from './upload.ts';

export type ChatView = components['schemas']['ChatView'];
export type ChatMessage = components['schemas']['ChatMessage'];

/** Members and visitors have the same calls below different addresses. */
export type ChatSide = 'member' | 'visitor';

const bases = { member: '/wps/chat', visitor: '/wps/visitor/chat' } as const;

/** Returns the address of a call, typed as the members' one. */
const at = <P extends string>(side: ChatSide, path: P) =>
  `${bases[side]}${path}` as `${typeof bases.member}${P}`;

export const chatSide = (session: Session | null): ChatSide =>
  session && isRealAccount(session) ? 'member' : 'visitor';

const typingKey = ['chat', 'typing'] as const;

export type LaunchOptions = {
  language: Language;
  backUrl: string;
  headerColor: string;
  title: string;
};

/** The page of the chat: a path of this app, or an external service. */
export const launchQuery = ({ language, backUrl, headerColor, title }: LaunchOptions) =>
  queryOptions({
    queryKey: [...chatKey, 'launch', language],
    queryFn: async () => {
      const query = { b2c: '1', language: wireLanguage(language), backUrl, headerColor, title };
      return (await value(client.GET('/wps/relay/CBS_launchChat', { params: { query } }))).chatUrl;
    },
    staleTime: 60_000,
  });

export const chatQuery = (side: ChatSide) =>
  queryOptions({
    queryKey: [...chatKey, side],
    queryFn: (): Promise<ChatView> => value(client.GET(at(side, ''))),
    // The place in the queue changes without an event.
    refetchInterval: ({ state: { data } }) => (data?.status === 'waiting' ? 10_000 : false),
  });

export type ChatHistory = { list: readonly ChatMessage[]; hasEarlier: boolean };

const historyKey = (side: ChatSide) => [...chatKey, side, 'messages'] as const;

/** Reads the last messages first, then only those after the last one it has. */
export const historyQuery = (side: ChatSide) =>
  queryOptions({
    queryKey: historyKey(side),
    queryFn: async ({ client: cache }): Promise<ChatHistory> => {
      const known = cache.getQueryData<ChatHistory>(historyKey(side));
      if (!known) return fetchBefore(side, Number.MAX_SAFE_INTEGER);
      return joined(known, await fetchAfter(side, known.list.at(-1)?.seq ?? 0));
    },
  });

async function fetchBefore(side: ChatSide, before: number): Promise<ChatHistory> {
  const page = await value(client.GET(at(side, '/messages'), { params: { query: { before } } }));
  return { list: page.list ?? [], hasEarlier: page.more };
}

async function fetchAfter(side: ChatSide, cursor: number): Promise<ChatMessage[]> {
  const params = { query: { after: cursor } };
  const page = await value(client.GET(at(side, '/messages'), { params }));
  const list = page.list ?? [];
  const last = list.at(-1);
  return page.more && last ? [...list, ...(await fetchAfter(side, last.seq))] : list;
}

/** Adds messages to a history. Each number is there once, in order. */
export function joined(history: ChatHistory, more: readonly ChatMessage[]): ChatHistory {
  const bySeq = new Map([...history.list, ...more].map((message) => [message.seq, message]));
  const list = [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
  return { list, hasEarlier: history.hasEarlier };
}

export async function loadEarlier(cache: QueryClient, side: ChatSide): Promise<void> {
  const known = cache.getQueryData<ChatHistory>(historyKey(side));
  const first = known?.list[0];
  if (!known || !first) return;
  const earlier = await fetchBefore(side, first.seq);
  cache.setQueryData<ChatHistory>(historyKey(side), (now = known) => ({
    ...joined(now, earlier.list),
    hasEarlier: earlier.hasEarlier,
  }));
}

/** A message that the server has not confirmed. The id stays the same when it is sent again. */
export type Outgoing = {
  clientId: string;
  text: string;
  file?: File;
  /** What a visitor wants to be called. */
  name?: string;
};

export const newClientId = (): string =>
  `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 12)}`;

/** Sends a message, then reads what is new: the server may have added events before it. */
export async function sendMessage(
  cache: QueryClient,
  side: ChatSide,
  { clientId, text, file, name }: Outgoing,
): Promise<void> {
  if (file) {
    const form = new FormData();
    form.append('clientId', clientId);
    form.append('image', file);
    await upload<ChatMessage>(at(side, '/images'), form);
  } else {
    const body = { clientId, text, ...(name && { name }) };
    await value(client.POST(at(side, '/messages'), { body }));
  }
  await refreshChat(cache, side);
}

export type OfflineForm = { text: string; contact: string; name: string };

export async function sendOffline(
  side: ChatSide,
  clientId: string,
  form: OfflineForm,
): Promise<void> {
  await value(client.POST(at(side, '/offline'), { body: { clientId, ...form } }));
}

/** Reads the conversation and its new messages. */
export async function refreshChat(cache: QueryClient, side: ChatSide): Promise<void> {
  await cache.invalidateQueries({ queryKey: [...chatKey, side] });
}

export const sendTyping = (side: ChatSide) => value(client.POST(at(side, '/typing')));

export async function markRead(cache: QueryClient, side: ChatSide, seq: number): Promise<void> {
  await value(client.POST(at(side, '/read'), { body: { seq } }));
  void cache.invalidateQueries({ queryKey: chatUnreadQuery.queryKey });
}

export async function endChat(cache: QueryClient, side: ChatSide): Promise<void> {
  await value(client.POST(at(side, '/close')));
  await refreshChat(cache, side);
}

export async function rateChat(
  cache: QueryClient,
  side: ChatSide,
  stars: number,
  comment: string,
): Promise<void> {
  await value(client.POST(at(side, '/rate'), { body: { stars, comment } }));
  await refreshChat(cache, side);
}

/** A picture of the conversation. The server sends it only to its customer, so an image needs a blob address. */
export const chatImageQuery = (side: ChatSide, name: string) =>
  queryOptions({
    queryKey: ['chat', 'image', side, name],
    queryFn: async (): Promise<Blob> => {
      const response = client.GET(at(side, '/images/{name}'), {
        params: { path: { name } },
        parseAs: 'blob',
      });
      return value(
        response.then((each) => ({
          ...each,
          data: each.data && { success: true, value: each.data },
        })),
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Handles an event of the chat. Members get it by the session's stream, visitors by their own. */
export function receiveChatEvent(cache: QueryClient, event: string): void {
  if (event === 'chat.typing') cache.setQueryData(typingKey, Date.now());
  else if (event === 'chat') {
    cache.setQueryData(typingKey, 0);
    void cache.invalidateQueries({ queryKey: chatKey });
  }
}

/** When the operator last typed. */
export const typingQuery = queryOptions({
  queryKey: typingKey,
  queryFn: () => 0,
  enabled: false,
  initialData: 0,
});

/** Opens the event stream of a visitor. Returns a function that closes it. */
export const openVisitorStream = (cache: QueryClient): (() => void) =>
  openStream({
    open: (signal) =>
      fetch('/wps/visitor/events', { headers: requestHeaders(), signal, cache: 'no-store' }),
    onEvent: ({ event }) => receiveChatEvent(cache, event),
    onOpen: () => void cache.invalidateQueries({ queryKey: chatKey }),
    onRefused: () => {},
  });
