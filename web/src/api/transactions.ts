import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

import { withAmount } from '../lib/exact-amount.ts';
import { client, parsedValue, requestHeaders, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

/** A movement of one of the member's wallets. Amounts are in the currency's unit. */
export type Movement = Schemas['CashierMovement'];
export type MovementPage = Schemas['CashierReportReply'];
export type MovementKind = Movement['kind'];

export const movementKinds = [
  'deposit',
  'withdrawal',
  'bet',
  'win',
  'reward',
  'refund',
  'adjustment',
  'transfer',
] as const satisfies readonly MovementKind[];

/** Times are in Unix milliseconds. Without a kind or a wallet, all movements match. */
export type MovementFilter = {
  from: number;
  to: number;
  kind: MovementKind | '';
  /** `main`, `bonus` or the code of a vendor. */
  wallet: string;
};

const path = '/wps/report/transaction';

/** The filter's range includes its last millisecond. The server's range does not. */
const queryOf = ({ from, to, kind, wallet }: MovementFilter) => ({
  from,
  to: to + 1,
  ...(kind && kind !== 'other' && { kind }),
  ...(wallet && { wallet }),
});

export const movementsQuery = (filter: MovementFilter) =>
  infiniteQueryOptions({
    queryKey: [...memberKey, 'movements', filter],
    queryFn: ({ pageParam }): Promise<MovementPage> => {
      const query = { ...queryOf(filter), ...(pageParam && { cursor: pageParam }) };
      // The call can also respond with a file, so its type is not only JSON.
      const request = client.GET(path, { params: { query }, parseAs: 'text' });
      return parsedValue<MovementPage>(request, (text) => JSON.parse(text) as unknown);
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next || undefined,
    placeholderData: keepPreviousData,
  });

/** Returns the movements as a file. */
export async function movementsFile(filter: MovementFilter): Promise<Blob> {
  const query = new URLSearchParams({ format: 'csv' });
  for (const [name, text] of Object.entries(queryOf(filter))) query.set(name, String(text));
  const response = await fetch(`${path}?${query.toString()}`, { headers: requestHeaders() });
  if (!response.ok) throw new TypeError('the file could not be loaded');
  return response.blob();
}

export type MemberWallet = Schemas['CashierMerchantWallet'];

export const memberWalletsQuery = queryOptions({
  queryKey: [...memberKey, 'wallets'],
  queryFn: () => value(client.GET('/wps/v2/wallets/merchant')),
});

export type WalletTransfer = { from: string; to: string; amount: string };

export const transferMoney = ({ amount, ...body }: WalletTransfer, key: string) =>
  value(
    client.POST('/wps/transaction/transfer', {
      params: { header: { 'Idempotency-Key': key } },
      ...withAmount(body, amount),
    }),
  );
