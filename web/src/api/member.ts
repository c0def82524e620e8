import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { currentSession, startSession, type Session } from './session.ts';

/** Everything below this key belongs to one member and goes when the session goes. */
export const ownKey = ['own'] as const;

/** What differs by member but is there for visitors too: whoever is here next asks for it anew. */
export const everyoneKey = [...ownKey, 'everyone'] as const;

export type Member = {
  id: string;
  account: string;
  /** The nickname, or the account where there is none. */
  name: string;
  type: number;
  /** The VIP label's name, or 0. */
  vip: string;
};

export const memberQuery = queryOptions({
  queryKey: [...ownKey, 'info'],
  queryFn: async (): Promise<Member> => {
    const info = await value(client.GET('/wps/member/info'));
    return {
      id: info.id,
      account: info.account,
      name: info.nickname || info.account,
      type: info.type,
      vip: info.clubLabel?.labelName || '0',
    };
  },
  staleTime: 60_000,
});

export type Credentials = {
  username: string;
  password: string;
  /** What the captcha says, once the server has asked for it. */
  captcha?: string;
};

/** Logs in and starts the session in all tabs. */
export async function logIn(credentials: Credentials, merchantCode: string): Promise<Session> {
  const body = { ...credentials, type: 'username' as const };
  const answer = await value(client.POST('/wps/session/login', { body }));
  const session: Session = {
    token: answer.token,
    type: answer.type,
    userName: answer.userName,
    merchantCode,
    firstTimeLogin: answer.firstTimeLogin,
  };
  startSession(session);
  return session;
}

/** Tells the server that the member is still here. */
export async function touch(): Promise<void> {
  if (currentSession()) await value(client.GET('/wps/session/touch'));
}
