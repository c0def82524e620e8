import { errorOfAnswer } from '../i18n/api-error.ts';
// Sessions that were left on this device but that the server may still hold open, because it could not be
// reached. Their tokens serve for nothing but to end them.
import { localStore } from '../lib/storage.ts';
import { client } from './client.ts';
import { endingKey as key } from './session.ts';

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
  if (await ended(token)) keep(waiting().filter((each) => each !== token));
  else follow();
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

/** Ends what pages before this one could not. */
export function endWaiting(): void {
  for (const token of waiting()) void endOnServer(token);
  if (waiting().length === 0) stop();
}

let timer: ReturnType<typeof setInterval> | undefined;

/** Tries again when the network returns and from time to time, until nothing waits any more. */
function follow(): void {
  if (timer !== undefined) return;
  timer = setInterval(endWaiting, again);
  addEventListener('online', endWaiting);
}

function stop(): void {
  clearInterval(timer);
  timer = undefined;
  removeEventListener('online', endWaiting);
}
