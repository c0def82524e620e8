import { queryOptions } from '@tanstack/react-query';

import { isStandalone } from '../lib/standalone.ts';
import { localStore } from '../lib/storage.ts';
import { isWebClip } from '../lib/web-clip.ts';
import { client, requestHeaders, value } from './client.ts';
import { openGrantedSession } from './open-session.ts';
import { withProof } from './proof-of-work.ts';
import { storeSessionPassword } from './remembered-login.ts';
import type { components } from './schema.d.ts';
import { withServerTime } from './server-time.ts';
import { mobileRegisterModule, registerMobileModule, registerModule } from './switches.gen.ts';

export type RegisterSetting = components['schemas']['MerchantRegisterSetting'];
export type RegisterField = components['schemas']['ValidationField'];
export type DialingCode = components['schemas']['ValidationMobileFormat'];

export type Method = 'username' | 'mobile';

type Body = components['schemas']['MemberRegisterBody'];

/** Becomes stale after a minute, because the operator may change the form and the server then rejects the old one. */
export const registerSettingQuery = queryOptions({
  queryKey: ['system', 'register'],
  queryFn: () => value(client.GET('/wps/system/setting/register')),
  staleTime: 60_000,
});

/** The operator's app adds this to its user agent. The web views of chat apps do not. */
const ownApp = /\bFairgroundApp\//;

/** Returns the app's environment: the operator's app, an iOS profile, an installed app, or a browser. */
function registerMethod(): 'APP' | 'WEBCLIP' | 'PWA' | 'H5' {
  if (ownApp.test(navigator.userAgent)) return 'APP';
  if (isWebClip()) return 'WEBCLIP';
  return isStandalone() ? 'PWA' : 'H5';
}

export type Registration = {
  method: Method;
  values: Readonly<Record<string, string>>;
  dialingCode: string;
  agreement: boolean;
  ageConfirmed: boolean;
  challenge?: string | undefined;
  /** Firebase's proof of the number. */
  phoneToken?: string | undefined;
};

/** Registers a member, starts the session and returns the username. */
export async function register(registration: Registration, merchantCode: string): Promise<string> {
  const { method, values, dialingCode, agreement, ageConfirmed, challenge, phoneToken } =
    registration;
  const filled = Object.fromEntries(Object.entries(values).filter(([, typed]) => typed !== ''));
  const body: Body = {
    ...filled,
    ...(filled['mobileNum'] && { countryDialingCode: dialingCode }),
    ...(challenge && { challenge }),
    ...(phoneToken && { firebaseChannel: 'sms' as const, firebaseIdToken: phoneToken }),
    agreement,
    ageConfirmed,
    normalRegister: true,
    moduleId: method === 'mobile' ? mobileRegisterModule : registerModule,
    registerMethod: registerMethod(),
    registerUrl: location.hostname,
    domain: location.hostname,
    type: 0,
  };
  const response = await withProof('register', (proof) => {
    const proved = { body: { ...body, ...proof }, headers: { 'Device-Hint': deviceHint() } };
    return value(
      method === 'mobile'
        ? client.PUT('/wps/member/register/mobile', proved)
        : client.PUT('/wps/member/register', proved),
    );
  });
  openGrantedSession(response, merchantCode);
  storeSessionPassword(values['password'] ?? '');
  return response.userName;
}

const hintKey = 'deviceHint';

/** Returns a random id of this browser. The server uses it to find new accounts of excluded members. */
function deviceHint(): string {
  const kept = localStore.get(hintKey);
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hint = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  localStore.set(hintKey, hint);
  return hint;
}

export async function isUsernameFree(username: string): Promise<boolean> {
  const query = { username };
  return (await value(client.GET('/wps/check/username', { params: { query } }))).available;
}

export async function isInvitationKnown(code: string): Promise<boolean> {
  const query = { code, domain: location.hostname };
  return (await value(client.GET('/wps/agent/affiliate', { params: { query } }))).success;
}

export function sendRegisterCode(mobileNum: string, countryDialingCode: string, captcha?: string) {
  const body = {
    mobileNum,
    countryDialingCode,
    purpose: 'register' as const,
    ...(captcha && { captcha }),
  };
  const headers = requestHeaders(registerMobileModule);
  return withProof('code', (proof) =>
    withServerTime(
      client.POST('/wps/verification/sms/noLogin', { body: { ...body, ...proof }, headers }),
    ),
  );
}
