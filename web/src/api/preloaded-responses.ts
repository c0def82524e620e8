declare global {
  interface Window {
    /** Responses that the inline script of index.html requested before the app loaded, by path and query. Each is used once. */
    preloadedResponses?: Record<string, Promise<Response>>;
  }
}

const preloadTimeoutMs = 5_000;

export function takePreloaded(request: Request): Promise<Response> | null {
  const preloaded = window.preloadedResponses;
  if (!preloaded || request.method !== 'GET') return null;
  const { pathname, search } = new URL(request.url);
  const key = pathname + search;
  const response = preloaded[key];
  delete preloaded[key];
  return response ?? null;
}

/** Resolves to the preloaded response, or to null if it failed, timed out or was aborted. */
export function awaitPreloaded(
  preloaded: Promise<Response>,
  signal: AbortSignal,
): Promise<Response | null> {
  return new Promise((resolve) => {
    const settle = (response: Response | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(response);
    };
    const giveUp = () => settle(null);
    const timer = setTimeout(giveUp, preloadTimeoutMs);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    preloaded.then((response) => settle(response.ok ? response : null), giveUp);
  });
}
