import type { QueryClient } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { sendEncrypted, type EncryptedBody, type EncryptionHeader } from './encrypted-body.ts';
import { openGrantedSession } from './open-session.ts';
import { withProof } from './proof-of-work.ts';
import { registerSettingQuery } from './registration.ts';
import { storeSessionPassword } from './remembered-login.ts';
import type { components } from './schema.d.ts';
import { withServerTime } from './server-time.ts';
import type { Session } from './session.ts';
import { settingsQuery } from './system.ts';

type Body = components['schemas']['SessionLoginBody'];

export type Credentials =
  | {
      type: 'username';
      username: string;
      password: string;
      /** Set only after the server has required a captcha. */
      captcha?: string | undefined;
      /** The proof of the slider, if the settings require it. */
      challenge?: string | undefined;
    }
  | {
      type: 'sms';
      /** The mobile number without its leading zero. */
      username: string;
      /** The code sent by SMS. */
      password: string;
      countryDialingCode: string;
      captcha?: string | undefined;
    }
  | {
      type: 'firebase';
      firebaseChannel: 'sms';
      /** Proves the phone number. */
      firebaseIdToken: string;
      /** Without the leading zero. */
      firebaseMobileNo: string;
      countryDialingCode: string;
      captcha?: string | undefined;
    }
  | {
      type: 'outside';
      /** The external service's ticket. */
      ticket: string;
      /** Both are set when a new user registers. */
      agreement?: true;
      ageConfirmed?: true;
    };

const agentArea = /^\/m\/member\/agent(?![^/?])/;

/**
 * Logs in and starts the session in all tabs. The request is encrypted if the merchant requires it. The server refuses a login to the
 * agents' screens to members who are not agents.
 */
export async function logIn(
  cache: QueryClient,
  credentials: Credentials,
  target = '',
): Promise<Session> {
  // The login works without both of them.
  const [settings, setting] = await Promise.all([
    cache.ensureQueryData(settingsQuery).catch(() => null),
    cache.ensureQueryData(registerSettingQuery).catch(() => null),
  ]);
  const body: Body = {
    ...Object.fromEntries(
      Object.entries(credentials).filter(([, given]) => given !== undefined && given !== ''),
    ),
    ...(agentArea.test(target) && { area: 'agent' as const }),
  };
  const send = (sent: Body | EncryptedBody, header: EncryptionHeader) =>
    value(client.POST('/wps/session/login', { body: sent, params: { header } }));
  const grant = await withProof('login', (proof) => {
    const proved = { ...body, ...proof };
    return setting?.loginEncrypted ? sendEncrypted(proved, send) : send(proved, {});
  });
  const session = openGrantedSession(grant, settings?.merchantCode ?? '');
  if (credentials.type === 'username') storeSessionPassword(credentials.password);
  return session;
}

/** Sends a login code to a number. The response is the same for an unknown number. */
export function sendLoginCode(mobileNum: string, countryDialingCode: string, captcha?: string) {
  const body = {
    mobileNum,
    countryDialingCode,
    purpose: 'login' as const,
    ...(captcha && { captcha }),
  };
  return withProof('code', (proof) =>
    withServerTime(client.POST('/wps/verification/sms/noLogin', { body: { ...body, ...proof } })),
  );
}
