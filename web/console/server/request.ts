// Requests to the operator's API. The session is a cookie, which the browser adds.
import { merchantHeader } from './merchant.ts';

/** An error response of the server, or a failure to reach it. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: string;
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  readonly requestId: string | null;

  constructor(code: string, status: number, requestId: string | null = null, cause?: unknown) {
    super(code, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}

export type Query = Readonly<Record<string, string>>;

const timeoutMs = 30_000;

type RequestOptions = {
  query?: Query;
  body?: unknown;
  form?: FormData;
  /** The idempotency key of a change. */
  key?: string;
};

/** Sends a request and returns the value of its response, or throws a ServerError. */
export async function request<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  options: RequestOptions = {},
): Promise<T> {
  const response = await send(method, path, options);
  const envelope = (await response.json().catch(() => null)) as Envelope<T> | null;
  if (envelope?.success) return envelope.value;
  throw new ServerError('system.error', response.status, requestIdOf(response));
}

type Envelope<T> = { success: boolean; value: T };

/** Returns a list as a CSV file. */
export async function downloadCsv(path: string, query: Query): Promise<Blob> {
  const response = await send('GET', path, { query: { ...query, format: 'csv' } });
  return response.blob();
}

/** Sends a request whose response is a file. */
export async function requestFile(path: string, body: object): Promise<Blob> {
  const response = await send('POST', path, { body });
  return response.blob();
}

/** Uploads a file and returns the value of the response. */
export async function upload<T>(path: string, file: File): Promise<T> {
  const form = new FormData();
  form.set('file', file);
  const response = await send('POST', path, { form });
  return ((await response.json()) as Envelope<T>).value;
}

async function send(
  method: string,
  path: string,
  { query = {}, body, form, key }: RequestOptions,
): Promise<Response> {
  const search = new URLSearchParams(query).toString();
  const url = new URL(path + (search && `?${search}`), location.origin);
  const headers = {
    ...(method !== 'GET' && !form && { 'Content-Type': 'application/json' }),
    ...(key && { 'Idempotency-Key': key }),
    ...merchantHeader(path),
  };
  let response: Response;
  try {
    response = await fetch(
      new Request(url, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(form && { body: form }),
        signal: AbortSignal.timeout(timeoutMs),
      }),
    );
  } catch (cause) {
    throw new ServerError('network.unreachable', 0, null, cause);
  }
  if (response.ok) return response;
  const failure = (await response.json().catch(() => null)) as { errorCode?: unknown } | null;
  const code = typeof failure?.errorCode === 'string' ? failure.errorCode : 'system.error';
  throw new ServerError(code, response.status, requestIdOf(response));
}

const requestIdOf = (response: Response): string | null => response.headers.get('X-Request-Id');
