import { queryOptions, useQuery } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import { registerSettingQuery } from './registration.ts';
import type { components } from './schema.d.ts';
import { withServerTime } from './server-time.ts';

type Schemas = components['schemas'];
export type Security = Schemas['MemberSecurityReply'];
export type SeenSession = Schemas['SessionSeen'];
export type Questions = Schemas['MemberQuestionReply'];

export const securityQuery = queryOptions({
  queryKey: [...memberKey, 'security'],
  queryFn: () => value(client.GET('/wps/member/security')),
  staleTime: 60_000,
});

/** Returns the masked number or address that a channel sends codes to. */
export function codeTarget(security: Security | undefined, channel: string): string {
  if (channel === 'sms') return security?.mobile ?? '';
  return channel === 'email' ? (security?.email ?? '') : '';
}

/** The ids of the available security questions, and the member's. */
export const questionQuery = queryOptions({
  queryKey: [...memberKey, 'security', 'question'],
  queryFn: () => value(client.GET('/wps/member/securityQuestion')),
  staleTime: 60_000,
});

export const sessionsQuery = queryOptions({
  queryKey: [...memberKey, 'security', 'sessions'],
  queryFn: () => value(client.GET('/wps/session/list')),
});

/** Reports which contacts can be bound: those that the server can send a code to. */
export function useBindable(): { mobile: boolean; email: boolean } {
  const { data } = useQuery(registerSettingQuery);
  const channels = data?.reset.channels;
  const has = (channel: string) => channels?.includes(channel) !== false;
  return { mobile: has('sms'), email: has('email') };
}

export function sendMobileCode(mobileNum: string, countryDialingCode: string) {
  const body = { mobileNum, countryDialingCode, purpose: 'bind' as const };
  return withServerTime(client.POST('/wps/verification/sms', { body }));
}

export function sendEmailCode(email: string) {
  const body = { email, purpose: 'bind' as const };
  return withServerTime(client.POST('/wps/verification/email', { body }));
}

export const bindMobile = (body: Schemas['MemberMobileBody']) =>
  value(client.PUT('/wps/member/mobile', { body }));

export const bindEmail = (body: Schemas['MemberEmailBody']) =>
  value(client.PUT('/wps/member/email', { body }));

export const setPaymentPassword = (body: Schemas['MemberPaymentBody']) =>
  value(client.PUT('/wps/member/paymentPassword', { body }));

/** Sends the code that replaces a forgotten payment password. */
export const sendPaymentCode = () =>
  withServerTime(client.POST('/wps/member/paymentPassword/code'));

/** Sends the code with which a member without a password confirms a change. */
export const sendProofCode = () => withServerTime(client.POST('/wps/member/proof/code'));

export const setQuestion = (body: Schemas['MemberQuestionBody']) =>
  value(client.PUT('/wps/member/securityQuestion', { body }));

export const endSessionById = (id: string) =>
  value(client.DELETE('/wps/session/{id}', { params: { path: { id } } }));

export const endOtherSessions = () => value(client.DELETE('/wps/session/others'));
