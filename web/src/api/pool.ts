import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { jackpotKey, refetchDelay } from './jackpot.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

/** The current jackpot. Amounts are in the currency's unit. */
export type Pool = Schemas['JackpotPoolReply'];
/** The jackpot draw of one stake. Its number is published when the series ends. */
export type Draw = Schemas['JackpotChanceReply'];
export type OwnDraw = Schemas['JackpotOwnReply'];

export const poolQuery = queryOptions({
  queryKey: [...jackpotKey, 'pool'],
  queryFn: (): Promise<Pool> => value(client.GET('/wps/jackpot/pool')),
  refetchInterval: ({ state }) =>
    state.data !== undefined && refetchDelay(state.dataUpdatedAt, Date.now()),
});

/** The draw of any member. */
export const drawQuery = (currency: string, series: number, nonce: number) =>
  queryOptions({
    queryKey: [...jackpotKey, 'draw', currency, series, nonce],
    queryFn: (): Promise<Draw> =>
      value(
        client.GET('/wps/jackpot/draw', {
          params: { query: { ...(currency && { currency }), series, nonce } },
        }),
      ),
  });

const pageSize = 20;

export const ownDrawsQuery = infiniteQueryOptions({
  queryKey: [...memberKey, 'jackpot', 'draws'],
  queryFn: ({ pageParam }) =>
    value(
      client.GET('/wps/jackpot/draws', {
        params: { query: { ...(pageParam && { cursor: pageParam }), pageSize } },
      }),
    ),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next || undefined,
});

export const roundDrawsQuery = (vendor: string, roundId: string) =>
  queryOptions({
    queryKey: [...memberKey, 'jackpot', 'round', vendor, roundId],
    queryFn: () =>
      value(client.GET('/wps/jackpot/draws', { params: { query: { vendor, roundId } } })),
  });

/** Returns the URL of a draw's proof. */
export function drawPath({
  currency,
  series,
  nonce,
}: Pick<Draw, 'currency' | 'series' | 'nonce'>): string {
  const query = new URLSearchParams({ currency, series: String(series), draw: String(nonce) });
  return `/m/fairness?${query.toString()}`;
}
