import type { QueryClient } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { openGrantedSession } from './open-session.ts';
import { registerSettingQuery } from './registration.ts';
import { storeSessionPassword } from './remembered.ts';
import type { components } from './schema.d.ts';
import { sendSealed, type Sealed, type SealedHeader } from './sealed.ts';
import { sentCode } from './sent-code.ts';
import type { Session } from './session.ts';
import { settingsQuery } from './system.ts';

type Body = components['schemas']['SessionLoginBody'];

/** What somebody logs in with. */
export type Credentials =
  | {
      type: 'username';
      username: string;
      password: string;
      /** What the captcha says, once the server has asked for it. */
      captcha?: string | undefined;
      /** What the slider gave, where the settings ask for it. */
      challenge?: string | undefined;
    }
  | {
      type: 'sms';
      /** The mobile number, without its 0. */
      username: string;
      /** The code. */
      password: string;
      countryDialingCode: string;
      captcha?: string | undefined;
    }
  | {
      type: 'firebase';
      firebaseChannel: 'sms';
      /** Firebase's word for the number. */
      firebaseIdToken: string;
      /** Without its 0. */
      firebaseMobileNo: string;
      countryDialingCode: string;
      captcha?: string | undefined;
    }
  | {
      type: 'outside';
      /** What coming back from another service gave. */
      ticket: string;
      /** Said together, by somebody who is to become a member. */
      agreement?: true;
      ageConfirmed?: true;
    };

/** The screens that are for agents alone. */
const agentArea = /^\/m\/member\/agent(?![^/?])/;

/**
 * Logs in and starts the session in all tabs. Where the merchant asks for it the login goes encrypted. A login that leads
 * to the agents' screens is refused to those who are none.
 */
export async function logIn(
  cache: QueryClient,
  credentials: Credentials,
  target = '',
): Promise<Session> {
  // Without them it works as well.
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
  const send = (sent: Body | Sealed, header: SealedHeader) =>
    value(client.POST('/wps/session/login', { body: sent, params: { header } }));
  const grant = await (setting?.loginEncrypted ? sendSealed(body, send) : send(body, {}));
  const session = openGrantedSession(grant, settings?.merchantCode ?? '');
  if (credentials.type === 'username') storeSessionPassword(credentials.password);
  return session;
}

/** Sends a code to a number that wants to log in. The answer is the same whoever's number it is. */
export function sendLoginCode(mobileNum: string, countryDialingCode: string, captcha?: string) {
  const body = {
    mobileNum,
    countryDialingCode,
    purpose: 'login' as const,
    ...(captcha && { captcha }),
  };
  return sentCode(client.POST('/wps/verification/sms/noLogin', { body }));
}
