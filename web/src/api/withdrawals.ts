import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { withAmount } from '../lib/exact-amount.ts';
import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

/** A member's bank account, with the last digits of its number only. */
export type BankCard = Schemas['WithdrawCard'];
export type PayoutBank = Schemas['WithdrawPayoutBank'];
/** What the member can withdraw. Amounts are in the currency's unit. */
export type WithdrawTerms = Schemas['WithdrawTerms'];
export type Withdrawal = Schemas['Withdrawal'];
export type WithdrawalStatus = Withdrawal['status'];

export const withdrawalsKey = [...memberKey, 'withdrawals'] as const;

export const isOpenWithdrawal = (status: WithdrawalStatus): boolean =>
  status !== 'PAID' && status !== 'REFUSED' && status !== 'FAILED';

export const bankCardsQuery = queryOptions({
  queryKey: [...memberKey, 'bankCards'],
  queryFn: () => value(client.GET('/wps/member/bankCard')),
});

export type NewBankCard = {
  bank: string;
  number: string;
  default: boolean;
  paymentPassword: string;
};

export const addBankCard = (body: NewBankCard, key: string): Promise<BankCard> =>
  value(
    client.POST('/wps/member/bankCard', { params: { header: { 'Idempotency-Key': key } }, body }),
  );

export const setDefaultCard = (id: string) =>
  value(
    client.PUT('/wps/member/bankCard/{id}', {
      params: { path: { id } },
      body: { default: true },
    }),
  );

export const removeBankCard = (id: string) =>
  value(client.DELETE('/wps/member/bankCard/{id}', { params: { path: { id } } }));

export const withdrawTermsQuery = queryOptions({
  queryKey: [...withdrawalsKey, 'terms'],
  queryFn: () => value(client.GET('/wps/transaction/withdraw/terms')),
});

export type NewWithdrawal = { cardId: string; amount: string; paymentPassword: string };

export const requestWithdrawal = (
  { amount, ...body }: NewWithdrawal,
  key: string,
): Promise<Withdrawal> =>
  value(
    client.POST('/wps/transaction/withdraw', {
      params: { header: { 'Idempotency-Key': key } },
      ...withAmount(body, amount),
    }),
  );

const pollMs = 15_000;

export const withdrawalQuery = (id: string) =>
  queryOptions({
    queryKey: [...withdrawalsKey, 'one', id],
    queryFn: (): Promise<Withdrawal> =>
      value(client.GET('/wps/transaction/withdraw/{id}', { params: { path: { id } } })),
    // Events report changes at once. The interval covers a lost connection.
    refetchInterval: ({ state: { data } }) =>
      data && isOpenWithdrawal(data.status) ? pollMs : false,
  });

export const withdrawalListQuery = infiniteQueryOptions({
  queryKey: [...withdrawalsKey, 'list'],
  queryFn: ({ pageParam }) =>
    value(
      client.GET('/wps/report/withdrawTransaction', {
        params: { query: pageParam ? { cursor: pageParam } : {} },
      }),
    ),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next || undefined,
});
