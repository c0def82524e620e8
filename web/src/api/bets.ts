import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import { ownKey } from './member.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

export const betStatuses = ['all', 'open', 'won', 'lost', 'refunded', 'promo'] as const;
export type BetStatus = (typeof betStatuses)[number];

/** A round as the betting record shows it, or what a vendor gave beside rounds. Amounts in the currency's unit. */
export type Bet = Schemas['VendorRoundRow'];

/** What a row is known by: a promotion is named by its vendor as rounds are, and may have the name of one. */
export const betKey = ({ vendor, roundId, status }: Bet): string =>
  `${vendor}/${status === 'promo' ? 'promo/' : ''}${roundId}`;

export type BetPage = Schemas['VendorRecordPage'];

/** Which rounds are asked for; times in unix milliseconds. Empty is any. */
export type BetFilter = {
  category: string;
  vendor: string;
  status: BetStatus;
  from: number;
  to: number;
};

const pageSize = 20;

/** The server names games in the language of the call, which the client sends with each. */
export const betsQuery = (language: Language, filter: BetFilter) =>
  infiniteQueryOptions({
    queryKey: [...ownKey, 'bets', language, filter],
    queryFn: ({ pageParam }): Promise<BetPage> => {
      const { category, vendor, status, from, to } = filter;
      const query = {
        ...(category && { gameCategory: category }),
        ...(vendor && { vendor }),
        status,
        from,
        to,
        ...(pageParam && { cursor: pageParam }),
        pageSize,
      };
      return value(client.GET('/wps/report/accountGameBetHistory', { params: { query } }));
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next || undefined,
    placeholderData: keepPreviousData,
  });
