import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { withAmount } from '../lib/exact-amount.ts';
import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';
import { withServerTime } from './server-time.ts';
import { upload, type UploadOptions } from './upload.ts';

type Schemas = components['schemas'];

/** A way to deposit. Amounts are in the currency's unit. */
export type DepositMethod = Schemas['DepositMethodReply'];
/** `endsAt` is when the deposit expires on this device's clock. */
export type Deposit = Schemas['DepositView'] & { endsAt: number };
export type DepositStatus = Deposit['status'];
export type DepositRow = Schemas['DepositReportRow'];

export const depositsKey = [...memberKey, 'deposits'] as const;

export const isOpenDeposit = (status: DepositStatus): boolean =>
  status === 'WAITING' || status === 'CLAIMED';

export const depositMethodsQuery = queryOptions({
  queryKey: [...depositsKey, 'methods'],
  queryFn: (): Promise<DepositMethod[]> =>
    value(client.GET('/wps/transaction/deposit/methods')).then((list) => list ?? []),
});

/** While the URL of the payment gateway's page is missing, the deposit is polled fast. */
const slowPollMs = 15_000;
const fastPollMs = 2000;

export const depositQuery = (id: string) =>
  queryOptions({
    queryKey: [...depositsKey, 'one', id],
    queryFn: async (): Promise<Deposit> => {
      const request = client.GET('/wps/transaction/deposit/{id}', { params: { path: { id } } });
      return withEnd(await withServerTime(request));
    },
    // Events report changes at once. The interval covers a lost connection.
    refetchInterval: ({ state: { data } }) => {
      if (!data || !isOpenDeposit(data.status)) return false;
      return data.kind === 'pg' && !data.payUrl ? fastPollMs : slowPollMs;
    },
  });

function withEnd(deposit: Schemas['DepositView'] & { answeredAt?: number }): Deposit {
  const { answeredAt, ...rest } = deposit;
  const ahead = answeredAt === undefined ? 0 : Date.now() - answeredAt;
  return { ...rest, endsAt: rest.expiresAt + ahead };
}

export const depositListQuery = infiniteQueryOptions({
  queryKey: [...depositsKey, 'list'],
  queryFn: ({ pageParam }) =>
    value(
      client.GET('/wps/report/depositTransaction', {
        params: { query: pageParam ? { cursor: pageParam } : {} },
      }),
    ),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next || undefined,
});

export type NewDeposit = {
  kind: DepositMethod['kind'];
  method: string;
  amount: string;
  payerName?: string;
  bank?: string;
};

const createPaths = {
  mt: '/wps/transaction/deposit/mt',
  qr: '/wps/transaction/deposit/qr',
  pg: '/wps/transaction/deposit/pg',
} as const;

export async function createDeposit(
  { kind, amount, ...body }: NewDeposit,
  key: string,
): Promise<Deposit> {
  const request = client.POST(createPaths[kind], {
    params: { header: { 'Idempotency-Key': key } },
    ...withAmount(body, amount),
  });
  return withEnd(await withServerTime(request));
}

export const cancelDeposit = (id: string) =>
  value(client.DELETE('/wps/transaction/deposit/{id}', { params: { path: { id } } }));

export function uploadProof(id: string, image: File, options: UploadOptions): Promise<unknown> {
  const form = new FormData();
  form.append('image', image);
  return upload(`/wps/transaction/deposit/${id}/proof`, form, options);
}
