// What a session needs while it lives. It is code of its own, because visitors need none of it.
import type { QueryClient } from '@tanstack/react-query';

import { requestHeaders } from '../api/client.ts';
import { ownKey, touch } from '../api/member.ts';
import { currentSession, endSession } from '../api/session.ts';
import { keepStream } from '../api/stream.ts';
import { statusQuery } from '../api/system.ts';
import { applyBalance } from '../api/wallet.ts';
import { setAutoLogin } from '../lib/auto-login.ts';
import type { ServerEvent } from '../lib/sse.ts';
import { withMessages } from './with-messages.ts';

/** A logout in another tab also ends the stream: the storage brings that news a moment later. */
const tabDelay = 600;

/** How often the server is told that the member is still here. */
export const touchEvery = 180_000;

/** Follows one session: its event stream, its keep-alive. Returns the function that stops both. */
export function followSession(cache: QueryClient, token: string): () => void {
  const end = () => setTimeout(endSession, tabDelay, token);
  function receive({ event, data }: ServerEvent) {
    if (event === 'balance') applyBalance(cache, data);
    // A break, say, taken in another tab: whatever is shown of the member's is asked for anew.
    else if (event === 'limits.changed') void cache.invalidateQueries({ queryKey: ownKey });
    else if (event === 'jackpot.won') won(data);
    // The site has closed: its status says so, and the line is tried again meanwhile.
    else if (event === 'closed') void cache.invalidateQueries({ queryKey: statusQuery.queryKey });
    else if (event === 'session' && ended(data)) {
      setTimeout(async () => {
        await endSession(token);
        // Somebody has ended it on purpose, so it must not begin again by itself.
        if (!currentSession()) setAutoLogin(false);
      }, tabDelay);
    }
  }
  /** The pool and the draws are others now; the winner is told wherever they are. */
  function won(data: string): void {
    void cache.invalidateQueries({ queryKey: ownKey });
    const telling = withMessages(import('../features/jackpot/win-toast.ts'), 'jackpot');
    // Words that could not be fetched are no reason to fail: balance and record show it all the same.
    void telling.then(({ showWinToast }) => showWinToast(cache, data)).catch(() => {});
  }
  const closeStream = keepStream({
    open: (signal) =>
      fetch('/wps/events', { headers: requestHeaders(), signal, cache: 'no-store' }),
    onEvent: receive,
    onOpen: () => void cache.invalidateQueries({ queryKey: ownKey }),
    onRefused: end,
  });
  let aliveAt = Date.now();
  // A failure needs no answer here: an ended session has already been noted by the client.
  function stay(): void {
    const slept = Date.now() - aliveAt >= 2 * touchEvery;
    aliveAt = Date.now();
    // After a sleep with a new token: whoever got hold of the old one meanwhile has nothing.
    const task = slept ? import('../api/renewal.ts').then(({ renew }) => renew()) : touch();
    void task.catch(() => {});
  }
  function wake(): void {
    if (!document.hidden && Date.now() - aliveAt >= 2 * touchEvery) stay();
  }
  const timer = setInterval(stay, touchEvery);
  document.addEventListener('visibilitychange', wake);
  return () => {
    closeStream();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', wake);
  };
}

function ended(data: string): boolean {
  try {
    return (JSON.parse(data) as { state?: unknown }).state === 'ended';
  } catch {
    return false;
  }
}
