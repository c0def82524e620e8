// Calls to the House server. A call without a clear reply is repeated with the same id, so it counts once.

/** The server rejected the request. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** The server may or may not have processed the request. */
export class OutcomeUnknownError extends Error {
  override name = 'OutcomeUnknownError';
}

/** The server cannot play. This call moved no money. */
const unavailable = 'house.unavailable';

/** Error codes from the game itself. Other errors, such as a rate limit, occur before the game gets the request. */
const gameCodePrefix = 'house.';

const requestTimeoutMs = 10_000;

export type Api = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
};

export function requestHeaders(token: string | null, language: string): Record<string, string> {
  return {
    Language: language.toUpperCase(),
    Device: 'MOBILE',
    ...(token !== null && { Authorization: token }),
  };
}

export function houseApi(token: () => string | null, language: () => string): Api {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = requestHeaders(token(), language());
    if (body) headers['Content-Type'] = 'application/json';
    let response: Response;
    let reply: { success?: unknown; value?: unknown; errorCode?: unknown };
    try {
      response = await fetch(`/house/v1/${path}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        cache: 'no-store',
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      reply = (await response.json()) as typeof reply;
    } catch {
      throw new OutcomeUnknownError();
    }
    if (response.ok && reply.success === true) return reply.value as T;
    const code = reply.errorCode;
    if (typeof code !== 'string' || (response.status >= 500 && code !== unavailable))
      throw new OutcomeUnknownError();
    throw new RefusedError(code);
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
  };
}

/** The delay before each retry. The last one repeats. */
const retryDelaysMs = [1000, 2000, 4000, 8000] as const;

export const retryDelay = (attempt: number): number =>
  retryDelaysMs[Math.min(attempt, retryDelaysMs.length) - 1] ?? retryDelaysMs[0];

/** After this time the player may leave. The server finishes the round. */
export const leaveOfferedAfterMs = 30_000;

/** The server wants more time between rounds. Its clock may be slightly behind. */
const tooFast = 'house.too_fast';
const tooFastDelayMs = 300;

export type Clock = { wait: (ms: number) => Promise<void> };

const realClock: Clock = { wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };

/** Repeats a request until its outcome is known. Calls `onFailedAttempt` with the number of each failed attempt. */
export async function retryUntilKnown<T>(
  send: () => Promise<T>,
  onFailedAttempt: (attempt: number) => void,
  clock: Clock = realClock,
): Promise<T> {
  for (let attempt = 0; ;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each attempt depends on the one before
      return await send();
    } catch (thrown) {
      const code = thrown instanceof RefusedError ? thrown.code : '';
      const isTooFast = code === tooFast;
      // After an attempt without a reply, only a reply of the game itself says whether that attempt succeeded.
      const inconclusive =
        attempt > 0 && (code === unavailable || !code.startsWith(gameCodePrefix));
      const isUnknown =
        thrown instanceof OutcomeUnknownError || (thrown instanceof RefusedError && inconclusive);
      if (!isTooFast && !isUnknown) throw thrown;
      if (!isTooFast) {
        attempt += 1;
        onFailedAttempt(attempt);
      }
      // oxlint-disable-next-line no-await-in-loop -- waits between attempts
      await clock.wait(isTooFast ? tooFastDelayMs : retryDelay(attempt));
    }
  }
}
