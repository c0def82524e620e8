import type { QueryClient } from '@tanstack/react-query';

import { requestHeaders } from '../api/client.ts';
import { everyoneKey, ownKey, touch } from '../api/member.ts';
import { endSession, useSessionStore } from '../api/session.ts';
import type { ServerEvent } from '../api/sse.ts';
import { keepStream } from '../api/stream.ts';
import { applyBalance } from '../api/wallet.ts';

/** A logout in another tab also ends the stream: the storage brings that news a moment later. */
const tabDelay = 600;

/** How often the server is told that the member is still here. */
export const touchEvery = 180_000;

/** Follows one session: its event stream, its keep-alive. Returns the function that stops both. */
function followSession(cache: QueryClient, token: string): () => void {
  const end = () => setTimeout(endSession, tabDelay, token);
  function receive({ event, data }: ServerEvent) {
    if (event === 'balance') applyBalance(cache, data);
    else if (event === 'session' && ended(data)) end();
  }
  const closeStream = keepStream({
    open: (signal) =>
      fetch('/wps/events', { headers: requestHeaders(), signal, cache: 'no-store' }),
    onEvent: receive,
    onOpen: () => void cache.invalidateQueries({ queryKey: ownKey }),
    onRefused: end,
  });
  // A failed touch needs no answer here: an ended session has already been noted by the client.
  const timer = setInterval(() => void touch().catch(() => {}), touchEvery);
  return () => {
    closeStream();
    clearInterval(timer);
  };
}

function ended(data: string): boolean {
  try {
    return (JSON.parse(data) as { state?: unknown }).state === 'ended';
  } catch {
    return false;
  }
}

/**
 * Keeps cache and stream in step with the session, whichever tab changed it. Returns the function that
 * stops.
 */
export function followSessions(cache: QueryClient): () => void {
  let token: string | undefined;
  let stop: (() => void) | undefined;

  function change(next: string | undefined) {
    if (next === token) return;
    stop?.();
    stop = next ? followSession(cache, next) : undefined;
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
