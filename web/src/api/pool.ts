import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { jackpotKey, lookAgain } from './jackpot.ts';
import { ownKey } from './member.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

/** The jackpot that is played for. Amounts in the currency's unit. */
export type Pool = Schemas['JackpotPoolReply'];
/** A stake's draw: what was drawn is told when its series is over. */
export type Draw = Schemas['JackpotChanceReply'];
export type OwnDraw = Schemas['JackpotOwnReply'];

export const poolQuery = queryOptions({
  queryKey: [...jackpotKey, 'pool'],
  queryFn: (): Promise<Pool> => value(client.GET('/wps/jackpot/pool')),
  refetchInterval: ({ state }) =>
    state.data !== undefined && lookAgain(state.dataUpdatedAt, Date.now()),
});

/** Any draw by its number, whoever staked. */
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
  queryKey: [...ownKey, 'jackpot', 'draws'],
  queryFn: ({ pageParam }) =>
    value(
      client.GET('/wps/jackpot/draws', {
        params: { query: { ...(pageParam && { cursor: pageParam }), pageSize } },
      }),
    ),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next || undefined,
});

/** The draws that the stakes of one of the member's rounds had. */
export const roundDrawsQuery = (vendor: string, roundId: string) =>
  queryOptions({
    queryKey: [...ownKey, 'jackpot', 'round', vendor, roundId],
    queryFn: () =>
      value(client.GET('/wps/jackpot/draws', { params: { query: { vendor, roundId } } })),
  });

/** Where a draw is checked. */
export function drawPath({
  currency,
  series,
  nonce,
}: Pick<Draw, 'currency' | 'series' | 'nonce'>): string {
  const query = new URLSearchParams({ currency, series: String(series), draw: String(nonce) });
  return `/m/fairness?${query.toString()}`;
}
