import { ApiError, errorOfThrown } from '../i18n/api-error.ts';
// Verifies a phone number with Firebase over its REST API. The client library would be many times the size of the form.
import type { Widget } from '../lib/widget/messages.ts';

/** The Firebase project, its API URL and the reCAPTCHA script that Firebase requires. */
export type FirebaseCodes = { apiKey: string; apiUrl: string; script: string };

/** Runs a widget that proves a human is present. It returns null if the member cancels. */
type HumanCheck = (widget: Widget) => Promise<string | null>;

const requestTimeoutMs = 15_000;
/** The time before another code can be requested. */
const waitMinutes = 1;

/** Maps Firebase's errors to this app's. */
const errorCodes: readonly [prefix: string, code: string][] = [
  ['INVALID_CODE', 'verification.incorrect'],
  ['MISSING_CODE', 'verification.incorrect'],
  ['SESSION_EXPIRED', 'verification.expired'],
  ['INVALID_SESSION_INFO', 'verification.expired'],
  ['INVALID_PHONE_NUMBER', 'member.mobile_format'],
  ['TOO_MANY_ATTEMPTS_TRY_LATER', 'rate.limited'],
  ['QUOTA_EXCEEDED', 'rate.limited'],
];

/** Proves one phone number: sends a code, then exchanges it for a token. */
export class PhoneProof {
  #sent: { number: string; session: string } | null = null;
  #verified: { number: string; code: string; token: string } | null = null;

  /** Sends a code to a number in E.164 form. It returns null if the member cancels the human check. */
  async send(
    by: FirebaseCodes,
    number: string,
    checkHuman: HumanCheck,
  ): Promise<{ expiredMinutes: number } | null> {
    const id = textOf(await request(by, 'recaptchaParams'), 'recaptchaSiteKey');
    const recaptchaToken = await checkHuman({ kind: 'recaptcha', script: by.script, id });
    if (recaptchaToken === null) return null;
    const body = { phoneNumber: number, recaptchaToken };
    const session = textOf(await request(by, 'accounts:sendVerificationCode', body), 'sessionInfo');
    this.#sent = { number, session };
    this.#verified = null;
    return { expiredMinutes: waitMinutes };
  }

  /** Exchanges the code for a token that proves the number. It does not send a correct code twice. */
  async token(by: FirebaseCodes, number: string, code: string): Promise<string> {
    if (this.#verified?.number === number && this.#verified.code === code)
      return this.#verified.token;
    if (this.#sent?.number !== number) throw new ApiError('verification.expired', 422);
    const body = { sessionInfo: this.#sent.session, code };
    const token = textOf(await request(by, 'accounts:signInWithPhoneNumber', body), 'idToken');
    this.#verified = { number, code, token };
    return token;
  }

  /** Drops a token that was used or rejected. */
  forget(): void {
    this.#verified = null;
  }
}

function textOf(json: Record<string, unknown>, name: string): string {
  const text = json[name];
  if (typeof text !== 'string' || text === '') throw new ApiError('verification.unavailable', 502);
  return text;
}

async function request(
  { apiKey, apiUrl }: FirebaseCodes,
  call: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const url = `${apiUrl}/v1/${call}?key=${encodeURIComponent(apiKey)}`;
  const apiRequest = new Request(url, {
    ...(body && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
    credentials: 'omit',
  });
  let response: Response;
  try {
    response = await fetch(apiRequest, { signal: AbortSignal.timeout(requestTimeoutMs) });
  } catch (thrown) {
    throw errorOfThrown(thrown);
  }
  const json = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.ok) return json;
  const { message = '' } = (json['error'] ?? {}) as { message?: string };
  const known = errorCodes.find(([prefix]) => message.startsWith(prefix));
  throw new ApiError(known?.[1] ?? 'verification.unavailable', response.status);
}
