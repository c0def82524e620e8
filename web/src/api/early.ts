/**
 * Answers that the page's first inline script asked for while this code was still on its way. Each
 * serves once: what is asked for again has to be fresh.
 */
declare global {
  interface Window {
    earlyAnswers?: Record<string, Promise<Response>>;
  }
}

/** How long an early answer is waited for before the app asks by itself. */
const patience = 5_000;

export function takeEarly(request: Request): Promise<Response> | null {
  const early = window.earlyAnswers;
  if (!early || request.method !== 'GET') return null;
  const { pathname, search } = new URL(request.url);
  const key = pathname + search;
  const answer = early[key];
  delete early[key];
  return answer ?? null;
}

/** The early answer, or null where it failed, keeps the app waiting or is no longer wanted. */
export function settleEarly(
  answer: Promise<Response>,
  signal: AbortSignal,
): Promise<Response | null> {
  return new Promise((resolve) => {
    const settle = (response: Response | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(response);
    };
    const giveUp = () => settle(null);
    const timer = setTimeout(giveUp, patience);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    answer.then((response) => settle(response.ok ? response : null), giveUp);
  });
}
