import { i18n, type MessageDescriptor } from '@lingui/core';

import { errorMessage } from './error-message.ts';

/** What the server, or the lack of one, answered instead of a value. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  /** The HTTP status; 0 when no answer came. */
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

  /** The session that the request was made with is not, or no longer, good. */
  get endsSession(): boolean {
    return (
      this.status === 401 &&
      (this.code === 'login.not.session' || this.code === 'user.or.token.invalid')
    );
  }

  /** Nothing reached the server, so trying again is safe and sensible. */
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

/** Reads a failed answer. A body that is not ours (a proxy's page, say) is a system error. */
export function errorOfAnswer(response: Response, body: unknown): ApiError {
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

/** Turns whatever a request threw into an ApiError. */
export function errorOfThrown(thrown: unknown, online = navigator.onLine): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // Not every engine counts a DOMException as an Error.
  const name = typeof thrown === 'object' && thrown && 'name' in thrown ? thrown.name : '';
  if (name === 'TimeoutError') return new ApiError('request.timeout', 0, { cause: thrown });
  if (!online) return new ApiError('network.offline', 0, { cause: thrown });
  // fetch answers every failure of the network with a TypeError.
  if (name === 'TypeError') return new ApiError('network.unstable', 0, { cause: thrown });
  return new ApiError('system.error', 0, { cause: thrown });
}

/** Whether the server, or something before it, did answer. */
export function wasAnswered(thrown: unknown): boolean {
  return errorOfThrown(thrown).status > 0;
}

/** The sentence for the member, found by code and never by the server's text. */
export function describeError(thrown: unknown): string {
  const error = errorOfThrown(thrown);
  const known = errorMessage(error.code);
  if (known && error.code !== 'system.error') return say(known, error.args);
  // The request id is all that support needs to find an error that has no sentence of its own.
  const { requestId } = error;
  return requestId
    ? say(errorMessage('system.error.reference')!, { requestId })
    : say(errorMessage('system.error')!, {});
}

function say({ id, message }: MessageDescriptor, values: Record<string, unknown>): string {
  return i18n._(id, values, message === undefined ? {} : { message });
}
