import { queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';

/** A member's reward. Amounts are in the currency's unit. */
export type Reward = components['schemas']['PromoRewardView'];
export type Rewards = { list: readonly Reward[]; unclaimed: number };

export const rewardsKey = [...memberKey, 'rewards'] as const;

export const rewardsQuery = (language: Language) =>
  queryOptions({
    queryKey: [...rewardsKey, language],
    queryFn: async (): Promise<Rewards> => {
      const { list, unclaimed } = await value(client.GET('/wps/reward'));
      return { list: list ?? [], unclaimed };
    },
  });

export const claimReward = (id: string, key: string): Promise<Reward> =>
  value(
    client.POST('/wps/reward/{id}/claim', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
    }),
  );

export const giveUpReward = (id: string): Promise<Reward> =>
  value(client.DELETE('/wps/reward/{id}', { params: { path: { id } } }));
