import { ApiError, errorOfThrown } from '../i18n/api-error.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { loadScreenMessages } from '../i18n/runtime.ts';
import { requestHeaders } from './client.ts';
import { currentSession, endSession } from './session.ts';

const uploadTimeoutMs = 120_000;

export type UploadOptions = {
  /** Called with the progress from 0 to 1. */
  onProgress?: ((progress: number) => void) | undefined;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
};

type Envelope = {
  success?: boolean;
  value?: unknown;
  errorCode?: string;
  field?: string;
  args?: Record<string, unknown>;
  requestId?: string;
};

/** Posts a form with files and returns the value of the response. It uses XMLHttpRequest, because fetch reports no progress. */
export async function upload<T>(
  path: string,
  form: FormData,
  options: UploadOptions = {},
): Promise<T> {
  const token = currentSession()?.token;
  const { status, text } = await send(path, form, options);
  const body = parse(text);
  if (status >= 200 && status < 300 && body.success) return body.value as T;
  const failure = new ApiError(body.errorCode ?? 'system.error', status, body);
  if (failure.endsSession && token) await endSession(token);
  if (!errorMessage(failure.code)) await loadScreenMessages().catch(() => {});
  throw failure;
}

function send(
  path: string,
  form: FormData,
  { onProgress, idempotencyKey, signal }: UploadOptions,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.timeout = uploadTimeoutMs;
    for (const [name, value] of Object.entries(requestHeaders()))
      request.setRequestHeader(name, value);
    if (idempotencyKey) request.setRequestHeader('Idempotency-Key', idempotencyKey);
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress?.(loaded / total);
    });
    request.addEventListener('load', () =>
      resolve({ status: request.status, text: request.responseText }),
    );
    request.addEventListener('error', () => reject(errorOfThrown(new TypeError('upload failed'))));
    request.addEventListener('timeout', () => reject(new ApiError('request.timeout', 0)));
    request.addEventListener('abort', () => reject(new ApiError('system.error', 0)));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

function parse(text: string): Envelope {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
