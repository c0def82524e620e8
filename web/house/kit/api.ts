// Calls to the House's server. What is known to have been refused is told apart from what nobody can know: a call that
// got no answer, or one that says so, is asked again with the same words, and so never counts twice.

/** The server has answered, and said no. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Whether it was done is not known. */
export class Unknown extends Error {
  override name = 'Unknown';
}

/** The server cannot play now, and says that nothing was moved by this call. */
const unavailable = 'house.unavailable';

/** What the game itself says. The border's own refusals, of too many calls, say, come before it is asked. */
const ownCodes = 'house.';

/** How long a call may take. */
const patience = 10_000;

export type Api = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
};

/** Who asks, and in which language. */
export function headersOf(token: string | null, language: string): Record<string, string> {
  return {
    Language: language.toUpperCase(),
    Device: 'MOBILE',
    ...(token !== null && { Authorization: token }),
  };
}

export function houseApi(token: () => string | null, language: () => string): Api {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = headersOf(token(), language());
    if (body) headers['Content-Type'] = 'application/json';
    let answer: Response;
    let said: { success?: unknown; value?: unknown; errorCode?: unknown };
    try {
      answer = await fetch(`/house/v1/${path}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        cache: 'no-store',
        signal: AbortSignal.timeout(patience),
      });
      said = (await answer.json()) as typeof said;
    } catch {
      throw new Unknown();
    }
    if (answer.ok && said.success === true) return said.value as T;
    const code = said.errorCode;
    if (typeof code !== 'string' || (answer.status >= 500 && code !== unavailable))
      throw new Unknown();
    throw new Refusal(code);
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
  };
}

/** Seconds to wait before each further try; the last one stays. */
const waits = [1000, 2000, 4000, 8000] as const;

export const waitBefore = (attempt: number): number =>
  waits[Math.min(attempt, waits.length) - 1] ?? waits[0];

/** After this long the player is offered to leave; the round is the server's and will be there later. */
export const leaveAfter = 30_000;

/** The server wants rounds to be further apart; its clock may be a little behind. */
const tooFast = 'house.too_fast';
const tooFastWait = 300;

export type Clock = { wait: (ms: number) => Promise<void> };

const realClock: Clock = { wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };

/** Asks until there is an answer that can be believed. Each vain try is told with its number. */
export async function askUntilKnown<T>(
  ask: () => Promise<T>,
  vain: (attempt: number) => void,
  clock: Clock = realClock,
): Promise<T> {
  for (let attempt = 0; ;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the next try depends on this one
      return await ask();
    } catch (thrown) {
      const code = thrown instanceof Refusal ? thrown.code : '';
      const early = code === tooFast;
      // After a try without an answer, that this one moved nothing does not tell what that one did: only the game's own
      // answer does.
      const silent = attempt > 0 && (code === unavailable || !code.startsWith(ownCodes));
      const unknown = thrown instanceof Unknown || (thrown instanceof Refusal && silent);
      if (!early && !unknown) throw thrown;
      if (!early) {
        attempt += 1;
        vain(attempt);
      }
      // oxlint-disable-next-line no-await-in-loop -- that is what waiting is
      await clock.wait(early ? tooFastWait : waitBefore(attempt));
    }
  }
}
