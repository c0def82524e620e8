import createClient, { type Middleware } from 'openapi-fetch';

import { errorOfResponse, errorOfThrown } from '../i18n/api-error.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { wireLanguage } from '../i18n/languages.ts';
import { currentLanguage, loadScreenMessages } from '../i18n/runtime.ts';
import { navigate } from '../lib/router.tsx';
import { isStandalone } from '../lib/standalone.ts';
import { devices, requestTimeoutMs } from './home-calls.ts';
import { awaitPreloaded, takePreloaded } from './preloaded-responses.ts';
import type { paths } from './schema.d.ts';
import { currentSession, endSession } from './session.ts';
import type { Module } from './switches.gen.ts';

/** The event for a request that did not reach the server. */
export const unreachableEvent = 'unreached';

const passwordPath = '/m/changePsw';

let merchant = '';

/** Sets the merchant that all later requests name. The settings provide it. */
export function setMerchant(code: string): void {
  merchant = code;
}

export function requestHeaders(moduleId?: Module): Record<string, string> {
  const headers: Record<string, string> = {
    Language: wireLanguage(currentLanguage()),
    Device: isStandalone() ? devices.installed : devices.browser,
  };
  if (merchant) headers.Merchant = merchant;
  if (moduleId) headers.ModuleId = moduleId;
  const token = currentSession()?.token;
  if (token) headers.Authorization = token;
  return headers;
}

const addHeaders: Middleware = {
  onRequest({ request }) {
    for (const [name, text] of Object.entries(requestHeaders())) {
      if (!request.headers.has(name)) request.headers.set(name, text);
    }
    return request;
  },
};

/** Replaces AbortSignal.any, which the oldest supported browsers lack. */
function anySignal(first: AbortSignal, second: AbortSignal): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([first, second]);
  const either = new AbortController();
  for (const signal of [first, second]) {
    if (signal.aborted) either.abort(signal.reason);
    signal.addEventListener('abort', () => either.abort(signal.reason), { once: true });
  }
  return either.signal;
}

async function send(request: Request): Promise<Response> {
  const signal = anySignal(request.signal, AbortSignal.timeout(requestTimeoutMs));
  const preloaded = takePreloaded(request);
  // A failed preload is requested again.
  const response = preloaded && (await awaitPreloaded(preloaded, signal));
  return response ?? fetch(request, { signal });
}

export const client = createClient<paths>({ baseUrl: location.origin, fetch: send });
client.use(addHeaders);

type Envelope<T> = { success: boolean; value: T };

type ClientResult<D> = { response: Response; data?: D; error?: unknown };

/** Returns the value of a response's envelope, or throws an ApiError. */
export async function value<T>(result: Promise<ClientResult<Envelope<T>>>): Promise<T> {
  return open(await receive(result));
}

/** Returns the body of a response without an envelope, or throws an ApiError. Calls under /lgw have no envelope. */
export async function bareValue<T>(result: Promise<ClientResult<T>>): Promise<T> {
  const { response, data } = await receive(result);
  if (data === undefined) throw errorOfResponse(response, null);
  return data;
}

/** Like `value`, but parses the response's text with `parse`. */
export async function parsedValue<T>(
  result: Promise<ClientResult<string>>,
  parse: (text: string) => unknown,
): Promise<T> {
  const { data, ...rest } = await receive(result);
  return open({ ...rest, data: data ? (parse(data) as Envelope<T>) : undefined });
}

async function receive<D>(result: Promise<ClientResult<D>>): Promise<ClientResult<D>> {
  const token = currentSession()?.token;
  let received: ClientResult<D>;
  try {
    received = await result;
  } catch (thrown) {
    const failure = errorOfThrown(thrown);
    // An aborted request says nothing about the network.
    if (failure.code !== 'system.error') dispatchEvent(new Event(unreachableEvent));
    throw failure;
  }
  if (received.response.ok) return received;
  const failure = errorOfResponse(received.response, received.error);
  if (failure.endsSession && token) await endSession(token);
  // An operator set the password: the server refuses other calls until the member changes it.
  if (failure.code === 'member.password_change_required' && location.pathname !== passwordPath)
    navigate(passwordPath, { replace: true });
  // Home does not load the messages of all errors.
  if (!errorMessage(failure.code)) await loadScreenMessages().catch(() => {});
  throw failure;
}

function open<T>({ response, data }: { response: Response; data?: Envelope<T> | undefined }): T {
  if (data?.success) return data.value;
  throw errorOfResponse(response, data);
}
