import type { QueryClient } from '@tanstack/react-query';

import { viewerKey, memberKey } from '../api/member.ts';
import { useSessionStore } from '../api/session.ts';

const retryDelayMs = 5_000;

const loadConnection = () => import('./session-connection.ts');

/** Loads the connection's code and connects. The returned function disconnects, and also works while the code loads. */
function connect(cache: QueryClient, token: string, load: typeof loadConnection): () => void {
  let stopped = false;
  let stop: (() => void) | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  async function start(): Promise<void> {
    const connection = await load().catch(() => null);
    if (stopped) return;
    if (connection) stop = connection.connectSession(cache, token);
    else retry = setTimeout(start, retryDelayMs);
  }
  void start();
  return () => {
    stopped = true;
    clearTimeout(retry);
    stop?.();
  };
}

/** Keeps the cache and the event stream in sync with the session, in every tab. Returns a function that stops it. */
export function watchSessions(cache: QueryClient, load = loadConnection): () => void {
  let token: string | undefined;
  let stop: (() => void) | undefined;

  function onTokenChange(next: string | undefined) {
    if (next === token) return;
    stop?.();
    stop = next ? connect(cache, next, load) : undefined;
    if (token !== undefined || next !== undefined) dropMemberData(cache, next !== undefined);
    token = next;
  }

  onTokenChange(useSessionStore.getState().session?.token);
  const unsubscribe = useSessionStore.subscribe(({ session }) => onTokenChange(session?.token));
  return () => {
    unsubscribe();
    stop?.();
  };
}

/** Drops the member's data and reloads the visible queries. After a logout, it reloads only queries that visitors may see. */
function dropMemberData(cache: QueryClient, isLoggedIn: boolean): void {
  void cache.cancelQueries({ queryKey: memberKey });
  for (const query of cache.getQueryCache().findAll({ queryKey: memberKey })) query.reset();
  void cache.refetchQueries({ queryKey: isLoggedIn ? memberKey : viewerKey, type: 'active' });
}
