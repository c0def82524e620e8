/**
 * Answers that the page's first inline script asked for while this code was still on its way. Each
 * serves once: what is asked for again has to be fresh.
 */
declare global {
  interface Window {
    earlyAnswers?: Record<string, Promise<Response>>;
  }
}

export function takeEarly(request: Request): Promise<Response> | null {
  const early = window.earlyAnswers;
  if (!early || request.method !== 'GET') return null;
  const { pathname, search } = new URL(request.url);
  const key = pathname + search;
  const answer = early[key];
  delete early[key];
  return answer ?? null;
}
