import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { currentSession } from './session.ts';

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
  /** Where the picture is; empty when none was chosen. */
  avatar: string;
  /** By which the member invites; nothing for those who have no code. */
  affiliateCode: string | undefined;
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
      avatar: info.avatar,
      affiliateCode: info.affiliateCode,
    };
  },
  staleTime: 60_000,
});

/** Confirms that the member is old enough to play for money. */
export async function confirmAge(): Promise<void> {
  await value(client.PUT('/wps/member/age', { body: { ageConfirmed: true } }));
}

/** Tells the server that the member is still here. */
export async function touch(): Promise<void> {
  if (currentSession()) await value(client.GET('/wps/session/touch'));
}
