import { queryOptions, useQuery } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { ownKey } from './member.ts';
import { registerSettingQuery } from './registration.ts';
import type { components } from './schema.d.ts';
import { sentCode } from './sent-code.ts';

type Schemas = components['schemas'];
export type Security = Schemas['MemberSecurityReply'];
export type SeenSession = Schemas['SessionSeen'];

/** What guards the account. */
export const securityQuery = queryOptions({
  queryKey: [...ownKey, 'security'],
  queryFn: () => value(client.GET('/wps/member/security')),
  staleTime: 60_000,
});

/** Where a code goes that is sent by a channel to what is bound, masked. */
export function codeTarget(security: Security | undefined, channel: string): string {
  if (channel === 'sms') return security?.mobile ?? '';
  return channel === 'email' ? (security?.email ?? '') : '';
}

/** The ids of the questions that can be chosen, and the member's. */
export const questionQuery = queryOptions({
  queryKey: [...ownKey, 'security', 'question'],
  queryFn: () => value(client.GET('/wps/member/securityQuestion')),
  staleTime: 60_000,
});

/** Where the member is logged in. */
export const sessionsQuery = queryOptions({
  queryKey: [...ownKey, 'security', 'sessions'],
  queryFn: () => value(client.GET('/wps/session/list')),
});

/** Whether a number or an address can be bound: a code must be sent to it. Yes until the settings tell otherwise. */
export function useBindable(): { mobile: boolean; email: boolean } {
  const { data } = useQuery(registerSettingQuery);
  const channels = data?.reset.channels;
  const has = (channel: string) => channels?.includes(channel) !== false;
  return { mobile: has('sms'), email: has('email') };
}

/** Sends a code to a number that is to be bound. */
export function sendMobileCode(mobileNum: string, countryDialingCode: string) {
  const body = { mobileNum, countryDialingCode, purpose: 'bind' as const };
  return sentCode(client.POST('/wps/verification/sms', { body }));
}

/** Sends a code to an address that is to be bound. */
export function sendEmailCode(email: string) {
  const body = { email, purpose: 'bind' as const };
  return sentCode(client.POST('/wps/verification/email', { body }));
}

export const bindMobile = (body: Schemas['MemberMobileBody']) =>
  value(client.PUT('/wps/member/mobile', { body }));

export const bindEmail = (body: Schemas['MemberEmailBody']) =>
  value(client.PUT('/wps/member/email', { body }));

export const setPaymentPassword = (body: Schemas['MemberPaymentBody']) =>
  value(client.PUT('/wps/member/paymentPassword', { body }));

/** Sends a code to what is bound, with which a forgotten payment password is replaced. */
export const sendPaymentCode = () => sentCode(client.POST('/wps/member/paymentPassword/code'));

/** Sends a member without a password the code that proves a change, to what is bound. */
export const sendProofCode = () => sentCode(client.POST('/wps/member/proof/code'));

export const setQuestion = (body: Schemas['MemberQuestionBody']) =>
  value(client.PUT('/wps/member/securityQuestion', { body }));

/** Ends one of the member's sessions. */
export const endSessionById = (id: string) =>
  value(client.DELETE('/wps/session/{id}', { params: { path: { id } } }));

/** Ends all of the member's sessions but this one. */
export const endOtherSessions = () => value(client.DELETE('/wps/session/others'));
