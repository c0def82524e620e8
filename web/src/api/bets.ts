import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

export const betStatuses = ['all', 'open', 'won', 'lost', 'refunded', 'promo'] as const;
export type BetStatus = (typeof betStatuses)[number];

/** A row of the betting record: a round, or a vendor's promotion. Amounts are in the currency's unit. */
export type Bet = Schemas['VendorRoundRow'];

/** Returns a unique key for a row. A promotion may have the id of a round. */
export const betKey = ({ vendor, roundId, status }: Bet): string =>
  `${vendor}/${status === 'promo' ? 'promo/' : ''}${roundId}`;

export type BetPage = Schemas['VendorRecordPage'];

/** Times are in Unix milliseconds. An empty field matches all. */
export type BetFilter = {
  category: string;
  vendor: string;
  status: BetStatus;
  from: number;
  to: number;
};

const pageSize = 20;

export const betsQuery = (language: Language, filter: BetFilter) =>
  infiniteQueryOptions({
    queryKey: [...memberKey, 'bets', language, filter],
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
