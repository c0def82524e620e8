import type { QueryClient } from '@tanstack/react-query';

import { everyoneKey, ownKey } from '../api/member.ts';
import { useSessionStore } from '../api/session.ts';

/** How soon the code of a session's line is asked for again when it could not be had. */
const retryEvery = 5_000;

/** The code of a session's line comes with the session. */
const loadLine = () => import('./session-connection.ts');

/** Fetches the line's code and begins. Returns the function that stops, also while the code is on its way. */
function follow(cache: QueryClient, token: string, load: typeof loadLine): () => void {
  let stopped = false;
  let stop: (() => void) | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  async function begin(): Promise<void> {
    const line = await load().catch(() => null);
    if (stopped) return;
    if (line) stop = line.followSession(cache, token);
    else retry = setTimeout(begin, retryEvery);
  }
  void begin();
  return () => {
    stopped = true;
    clearTimeout(retry);
    stop?.();
  };
}

/**
 * Keeps cache and stream in step with the session, whichever tab changed it. Returns the function that
 * stops.
 */
export function followSessions(cache: QueryClient, load = loadLine): () => void {
  let token: string | undefined;
  let stop: (() => void) | undefined;

  function change(next: string | undefined) {
    if (next === token) return;
    stop?.();
    stop = next ? follow(cache, next, load) : undefined;
    if (token !== undefined || next !== undefined) forget(cache, next !== undefined);
    token = next;
  }

  change(useSessionStore.getState().session?.token);
  const unsubscribe = useSessionStore.subscribe(({ session }) => change(session?.token));
  return () => {
    unsubscribe();
    stop?.();
  };
}

/**
 * Drops all that belongs to one member. What is on the screen is asked for anew: everything where another member
 * follows, and what visitors see too where none does.
 */
function forget(cache: QueryClient, anew: boolean): void {
  void cache.cancelQueries({ queryKey: ownKey });
  for (const query of cache.getQueryCache().findAll({ queryKey: ownKey })) query.reset();
  void cache.refetchQueries({ queryKey: anew ? ownKey : everyoneKey, type: 'active' });
}
