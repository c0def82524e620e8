import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { request } from '../../server/request.ts';
import type { ChatMessage } from './ChatTypes.ts';

type Page = { list: readonly ChatMessage[]; more: boolean };
type Log = { list: readonly ChatMessage[]; hasEarlier: boolean };

const logKey = (path: string) => ['list', path] as const;

/** Reads the last messages first, then only those after the last one it has, so that the log has no gap. */
export const messageLogQuery = (path: string) =>
  queryOptions({
    queryKey: logKey(path),
    queryFn: async ({ client: cache }): Promise<Log> => {
      const known = cache.getQueryData<Log>(logKey(path));
      if (!known) return fetchBefore(path, Number.MAX_SAFE_INTEGER);
      return { ...known, list: join(known.list, await fetchAfter(path, lastSeq(known))) };
    },
  });

const lastSeq = ({ list }: Log): number => list.at(-1)?.seq ?? 0;

async function fetchBefore(path: string, before: number): Promise<Log> {
  const page = await request<Page>('GET', path, { query: { before: String(before) } });
  return { list: page.list, hasEarlier: page.more };
}

async function fetchAfter(path: string, after: number): Promise<readonly ChatMessage[]> {
  const page = await request<Page>('GET', path, { query: { after: String(after) } });
  const last = page.list.at(-1);
  return page.more && last ? [...page.list, ...(await fetchAfter(path, last.seq))] : page.list;
}

/** Each number is there once, in order. */
function join(known: readonly ChatMessage[], more: readonly ChatMessage[]): ChatMessage[] {
  const bySeq = new Map([...known, ...more].map((message) => [message.seq, message]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}

/** Loads earlier messages into the cache. */
export async function loadEarlier(cache: QueryClient, path: string): Promise<void> {
  const known = cache.getQueryData<Log>(logKey(path));
  const first = known?.list[0];
  if (!known || !first) return;
  const earlier = await fetchBefore(path, first.seq);
  cache.setQueryData<Log>(logKey(path), (now = known) => ({
    list: join(now.list, earlier.list),
    hasEarlier: earlier.hasEarlier,
  }));
}
