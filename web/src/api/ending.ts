// Sessions that were left on this device but that the server may still hold open, because it could not be
// reached. Their tokens serve for nothing but to end them.
import { localStore } from '../lib/storage.ts';
import { client } from './client.ts';
import { errorOfAnswer } from './error.ts';

/** Beside the session's own keys, so that no tab takes a token from here for one to play with. */
const key = 'ending';
/** The server may be down while the network is there, which no event tells. */
const again = 60_000;
/** More than anybody leaves without a network; it bounds what is kept. */
const most = 8;

function waiting(): string[] {
  const kept = localStore.get(key);
  return kept ? kept.split(' ') : [];
}

function keep(tokens: string[]): void {
  if (tokens.length > 0) localStore.set(key, tokens.slice(-most).join(' '));
  else localStore.remove(key);
}

/** Ends a session on the server. Where that fails it is tried again for as long as it takes. */
export async function endOnServer(token: string): Promise<void> {
  keep([...waiting().filter((each) => each !== token), token]);
  if (!(await ended(token))) return;
  keep(waiting().filter((each) => each !== token));
}

/** Not by way of `value`: a refusal of this token says nothing about the session that is open now. */
async function ended(token: string): Promise<boolean> {
  try {
    const headers = { Authorization: token };
    const { response, error } = await client.DELETE('/wps/session/logout', { headers });
    // A token that the server does not know is as good as ended.
    return response.ok || errorOfAnswer(response, error).endsSession;
  } catch {
    return false;
  }
}

function tryAll(): void {
  for (const token of waiting()) void endOnServer(token);
}

/**
 * Ends what is still to be ended: now, when the network returns, and from time to time. Returns the function that
 * stops.
 */
export function followEndings(): () => void {
  tryAll();
  const timer = setInterval(tryAll, again);
  addEventListener('online', tryAll);
  return () => {
    clearInterval(timer);
    removeEventListener('online', tryAll);
  };
}
