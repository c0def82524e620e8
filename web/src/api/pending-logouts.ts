import { errorOfResponse } from '../i18n/api-error.ts';
import { localStore } from '../lib/storage.ts';
import { client } from './client.ts';
import { pendingLogoutsKey as key } from './session.ts';

/** No event reports that the server is reachable again, so retries also run on a timer. */
const retryIntervalMs = 60_000;
const maxPending = 8;

/** Tokens of sessions that ended on this device and may still be open on the server. */
function pendingTokens(): string[] {
  const stored = localStore.get(key);
  return stored ? stored.split(' ') : [];
}

function storePending(tokens: string[]): void {
  if (tokens.length > 0) localStore.set(key, tokens.slice(-maxPending).join(' '));
  else localStore.remove(key);
}

/** Ends a session on the server, and retries until the server confirms it. */
export async function logOutOnServer(token: string): Promise<void> {
  storePending([...pendingTokens().filter((each) => each !== token), token]);
  if (await sendLogout(token)) storePending(pendingTokens().filter((each) => each !== token));
  else startRetrying();
}

/** Reports whether the session is over. It does not use `value`, which would end the current session on a 401. */
async function sendLogout(token: string): Promise<boolean> {
  try {
    const headers = { Authorization: token };
    const { response, error } = await client.DELETE('/wps/session/logout', { headers });
    // The session of a token that the server does not know is over.
    return response.ok || errorOfResponse(response, error).endsSession;
  } catch {
    return false;
  }
}

/** Sends all pending logouts again, including those of earlier pages. */
export function retryLogouts(): void {
  for (const token of pendingTokens()) void logOutOnServer(token);
  if (pendingTokens().length === 0) stopRetrying();
}

let timer: ReturnType<typeof setInterval> | undefined;

function startRetrying(): void {
  if (timer !== undefined) return;
  timer = setInterval(retryLogouts, retryIntervalMs);
  addEventListener('online', retryLogouts);
}

function stopRetrying(): void {
  clearInterval(timer);
  timer = undefined;
  removeEventListener('online', retryLogouts);
}
