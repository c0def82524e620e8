import { i18n, type MessageDescriptor } from '@lingui/core';

import { errorMessage } from './error-message.ts';

/** An error of the server, or the failure to reach it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  readonly field: string | undefined;
  readonly args: Record<string, unknown>;
  readonly requestId: string | undefined;

  constructor(
    code: string,
    status: number,
    more: {
      field?: string | undefined;
      args?: Record<string, unknown> | undefined;
      requestId?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: more.cause });
    this.code = code;
    this.status = status;
    this.field = more.field;
    this.args = more.args ?? {};
    this.requestId = more.requestId;
  }

  /** Reports whether the server rejected the request's session. */
  get endsSession(): boolean {
    return (
      this.status === 401 &&
      (this.code === 'login.not.session' || this.code === 'user.or.token.invalid')
    );
  }

  /** Reports whether the request failed without a response. */
  get unreachable(): boolean {
    return this.status === 0;
  }
}

type FailureBody = {
  errorCode?: unknown;
  field?: unknown;
  args?: unknown;
  requestId?: unknown;
};

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads an error response. A body that is not the server's, such as a proxy's page, is a system error. */
export function errorOfResponse(response: Response, body: unknown): ApiError {
  const failure: FailureBody = typeof body === 'object' && body !== null ? body : {};
  return new ApiError(text(failure.errorCode) ?? 'system.error', response.status, {
    field: text(failure.field),
    args:
      typeof failure.args === 'object' && failure.args !== null
        ? (failure.args as Record<string, unknown>)
        : undefined,
    requestId: text(failure.requestId) ?? text(response.headers.get('X-Request-Id')),
  });
}

/** Converts a thrown value to an ApiError. */
export function errorOfThrown(thrown: unknown, online = navigator.onLine): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // Some browsers' DOMException is not an Error.
  const name = typeof thrown === 'object' && thrown && 'name' in thrown ? thrown.name : '';
  if (name === 'TimeoutError') return new ApiError('request.timeout', 0, { cause: thrown });
  if (!online) return new ApiError('network.offline', 0, { cause: thrown });
  // fetch reports network failures as a TypeError.
  if (name === 'TypeError') return new ApiError('network.unstable', 0, { cause: thrown });
  return new ApiError('system.error', 0, { cause: thrown });
}

/** Reports whether there was a response. */
export function wasAnswered(thrown: unknown): boolean {
  return errorOfThrown(thrown).status > 0;
}

/** Reports whether the server refused the request. After any other failure it may still have stored what was sent. */
export function wasRefused(thrown: unknown): boolean {
  const { status } = errorOfThrown(thrown);
  return status >= 400 && status < 500;
}

export function describeError(thrown: unknown): string {
  const error = errorOfThrown(thrown);
  const known = errorMessage(error.code);
  if (known && error.code !== 'system.error') return translate(known, error.args);
  // Support finds an unknown error by its request id.
  const { requestId } = error;
  return requestId
    ? translate(errorMessage('system.error.reference')!, { requestId })
    : translate(errorMessage('system.error')!, {});
}

function translate({ id, message }: MessageDescriptor, values: Record<string, unknown>): string {
  return i18n._(id, values, message === undefined ? {} : { message });
}
