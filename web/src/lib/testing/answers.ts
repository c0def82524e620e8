// A fake server with fixed responses, for tests that use the API client.
import { vi } from 'vitest';

/** An error response of the fake server, with its status and code. */
export class Failing {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, errorCode: string, more: Record<string, unknown> = {}) {
    this.status = status;
    this.body = { success: false, message: 'for developers', errorCode, ...more };
  }
}

/**
 * Mocks responses by method and path. A response is a value or the result of a function. Returns the list of requests. A request without
 * a response fails like a network error.
 */
export function answerWith(answers: Record<string, unknown>): Request[] {
  const requests: Request[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(
      new URL(input instanceof Request ? input.url : input, location.href),
      {
        ...(input instanceof Request ? { method: input.method, headers: input.headers } : {}),
        ...(init?.headers ? { headers: init.headers } : {}),
        ...(input instanceof Request && input.body ? { body: await input.clone().text() } : {}),
      },
    );
    requests.push(request);
    const key = `${request.method} ${new URL(request.url).pathname}`;
    if (!(key in answers)) throw new TypeError('Failed to fetch');
    const given = answers[key];
    const value: unknown = await (typeof given === 'function' ? given(request) : given);
    if (value instanceof Response) return value;
    if (value instanceof Failing) return Response.json(value.body, { status: value.status });
    return Response.json({ success: true, value });
  });
  return requests;
}

/** Returns the requests to a path, or with a method to a path. */
export const sentTo = (requests: Request[], to: string) =>
  requests.filter(({ method, url }) => {
    const path = new URL(url).pathname;
    return to.includes(' ') ? `${method} ${path}` === to : path === to;
  });
