import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { currentSession } from './session.ts';

/** The prefix of every query with a member's data. The cache drops them when the session ends. */
export const memberKey = ['own'] as const;

/** The prefix of queries that visitors can send too, but whose result depends on the member. */
export const viewerKey = [...memberKey, 'everyone'] as const;

export type Member = {
  id: string;
  account: string;
  /** The nickname, or the account if there is none. */
  name: string;
  type: number;
  /** The name of the VIP label, or 0. */
  vip: string;
  /** Empty if the member chose none. */
  avatar: string;
  /** The member's invitation code, if there is one. */
  affiliateCode: string | undefined;
};

export const memberQuery = queryOptions({
  queryKey: [...memberKey, 'info'],
  queryFn: async (): Promise<Member> => {
    const info = await value(client.GET('/wps/member/info'));
    return {
      id: info.id,
      account: info.account,
      name: info.nickname || info.account,
      type: info.type,
      vip: info.clubLabel?.labelName || '0',
      avatar: info.avatar,
      affiliateCode: info.affiliateCode,
    };
  },
  staleTime: 60_000,
});

/** Confirms that the member is of legal age. */
export async function confirmAge(): Promise<void> {
  await value(client.PUT('/wps/member/age', { body: { ageConfirmed: true } }));
}

/** Extends the session on the server. */
export async function touch(): Promise<void> {
  if (currentSession()) await value(client.GET('/wps/session/touch'));
}
