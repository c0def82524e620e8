import { ApiError, errorOfThrown } from '../i18n/api-error.ts';
// Has Firebase prove that somebody holds a phone number, by its REST interface: the library would be many times what
// the rest of the form weighs.
import type { Widget } from '../lib/widget/messages.ts';

/** How Firebase knows this site, where it is asked, and where the reCAPTCHA comes from that it asks for. */
export type FirebaseCodes = { apiKey: string; apiUrl: string; script: string };

/** Asks whoever sits there for a sign of a person; null where none was given. */
type Person = (widget: Widget) => Promise<string | null>;

const patience = 15_000;
/** For how long another code is not asked for. */
const waitMinutes = 1;

/** What Firebase refuses with, as this app says it. */
const refusals: readonly [start: string, code: string][] = [
  ['INVALID_CODE', 'verification.incorrect'],
  ['MISSING_CODE', 'verification.incorrect'],
  ['SESSION_EXPIRED', 'verification.expired'],
  ['INVALID_SESSION_INFO', 'verification.expired'],
  ['INVALID_PHONE_NUMBER', 'member.mobile_format'],
  ['TOO_MANY_ATTEMPTS_TRY_LATER', 'rate.limited'],
  ['QUOTA_EXCEEDED', 'rate.limited'],
];

/** The proof of one number at a time: a code is sent, and what it is changed for serves until it is used up. */
export class PhoneProof {
  #sent: { number: string; session: string } | null = null;
  #proved: { number: string; code: string; token: string } | null = null;

  /** Sends a code to a number, E.164, once a person is there; null where none wants to be. */
  async send(
    by: FirebaseCodes,
    number: string,
    person: Person,
  ): Promise<{ expiredMinutes: number } | null> {
    const id = textOf(await ask(by, 'recaptchaParams'), 'recaptchaSiteKey');
    const recaptchaToken = await person({ kind: 'recaptcha', script: by.script, id });
    if (recaptchaToken === null) return null;
    const body = { phoneNumber: number, recaptchaToken };
    const session = textOf(await ask(by, 'accounts:sendVerificationCode', body), 'sessionInfo');
    this.#sent = { number, session };
    this.#proved = null;
    return { expiredMinutes: waitMinutes };
  }

  /** Changes the code for a token that shows whose number it is. A code that was right once is asked for once. */
  async token(by: FirebaseCodes, number: string, code: string): Promise<string> {
    if (this.#proved?.number === number && this.#proved.code === code) return this.#proved.token;
    if (this.#sent?.number !== number) throw new ApiError('verification.expired', 422);
    const body = { sessionInfo: this.#sent.session, code };
    const token = textOf(await ask(by, 'accounts:signInWithPhoneNumber', body), 'idToken');
    this.#proved = { number, code, token };
    return token;
  }

  /** The token was used up, or is of no use. */
  forget(): void {
    this.#proved = null;
  }
}

function textOf(answer: Record<string, unknown>, name: string): string {
  const text = answer[name];
  if (typeof text !== 'string' || text === '') throw new ApiError('verification.unavailable', 502);
  return text;
}

async function ask(
  { apiKey, apiUrl }: FirebaseCodes,
  call: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const address = `${apiUrl}/v1/${call}?key=${encodeURIComponent(apiKey)}`;
  const request = new Request(address, {
    ...(body && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
    credentials: 'omit',
  });
  let response: Response;
  try {
    response = await fetch(request, { signal: AbortSignal.timeout(patience) });
  } catch (thrown) {
    throw errorOfThrown(thrown);
  }
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.ok) return answer;
  const { message = '' } = (answer['error'] ?? {}) as { message?: string };
  const known = refusals.find(([start]) => message.startsWith(start));
  throw new ApiError(known?.[1] ?? 'verification.unavailable', response.status);
}
