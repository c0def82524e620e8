import createClient, { type Middleware } from 'openapi-fetch';

import { errorOfAnswer, errorOfThrown } from '../i18n/api-error.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { wireLanguage } from '../i18n/languages.ts';
import { currentLanguage, screenMessages } from '../i18n/runtime.ts';
import { isStandalone } from '../lib/standalone.ts';
import { settleEarly, takeEarly } from './early.ts';
import { devices, patience } from './home-calls.ts';
import type { paths } from './schema.d.ts';
import { currentSession, endSession } from './session.ts';
import type { Module } from './switches.gen.ts';

/** The event of a call that got through nowhere. */
export const unreached = 'unreached';

let merchant = '';

/** The merchant this page belongs to, once the settings have told. */
export function setMerchant(code: string): void {
  merchant = code;
}

/** What every request says about who asks, from where and in which language. */
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

const identify: Middleware = {
  onRequest({ request }) {
    for (const [name, text] of Object.entries(requestHeaders())) {
      if (!request.headers.has(name)) request.headers.set(name, text);
    }
    return request;
  },
};

/** Aborts with the first of two signals; the oldest browsers this app is built for cannot join them. */
function anySignal(first: AbortSignal, second: AbortSignal): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([first, second]);
  const both = new AbortController();
  for (const signal of [first, second]) {
    if (signal.aborted) both.abort(signal.reason);
    signal.addEventListener('abort', () => both.abort(signal.reason), { once: true });
  }
  return both.signal;
}

async function send(request: Request): Promise<Response> {
  const signal = anySignal(request.signal, AbortSignal.timeout(patience));
  const early = takeEarly(request);
  // What could not be had early is asked for again, by the book.
  const response = early && (await settleEarly(early, signal));
  return response ?? fetch(request, { signal });
}

export const client = createClient<paths>({ baseUrl: location.origin, fetch: send });
client.use(identify);

type Envelope<T> = { success: boolean; value: T };

type Answer<D> = { response: Response; data?: D; error?: unknown };

/** Waits for an answer and takes the value out of its envelope, or throws an ApiError. */
export async function value<T>(answer: Promise<Answer<Envelope<T>>>): Promise<T> {
  return open(await receive(answer));
}

/** As `value`, for an answer taken as text, which `parse` reads in place of the client. */
export async function parsedValue<T>(
  answer: Promise<Answer<string>>,
  parse: (text: string) => unknown,
): Promise<T> {
  const { data, ...rest } = await receive(answer);
  return open({ ...rest, data: data ? (parse(data) as Envelope<T>) : undefined });
}

async function receive<D>(answer: Promise<Answer<D>>): Promise<Answer<D>> {
  const token = currentSession()?.token;
  let received: Answer<D>;
  try {
    received = await answer;
  } catch (thrown) {
    const failure = errorOfThrown(thrown);
    // What was given up is no word on the network.
    if (failure.code !== 'system.error') dispatchEvent(new Event(unreached));
    throw failure;
  }
  if (received.response.ok) return received;
  const failure = errorOfAnswer(received.response, received.error);
  if (failure.endsSession && token) await endSession(token);
  // The words for it may be among those that home does without.
  if (!errorMessage(failure.code)) await screenMessages().catch(() => {});
  throw failure;
}

function open<T>({ response, data }: { response: Response; data?: Envelope<T> | undefined }): T {
  if (data?.success) return data.value;
  throw errorOfAnswer(response, data);
}
