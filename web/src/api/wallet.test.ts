// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { applyBalance, walletQuery, withAccount, type Wallet } from './wallet.ts';

const cash = { kind: 'cash', currency: 'VND', balance: '1000', version: 4 };
const bonus = { kind: 'bonus', currency: 'VND', balance: '250', version: 1 };
const wallet: Wallet = { total: '1250', currency: 'VND', symbol: '₫', accounts: [cash, bonus] };

test('amounts stay exact', async () => {
  const body = '{"success":true,"value":{"sumBalance":90071992547409931.5}}';
  answerWith({ 'GET /wps/v2/wallets/balance': new Response(body) });
  expect((await new QueryClient().fetchQuery(walletQuery)).total).toBe('90071992547409931.5');
});

test('a newer account balance changes the total by the difference', () => {
  const next = withAccount(wallet, { ...cash, balance: '400', version: 5 });
  expect(next.total).toBe('650');
  expect(next.accounts).toEqual([{ ...cash, balance: '400', version: 5 }, bonus]);
});

test.each([3, 4])('version %i is not newer and is ignored', (version) => {
  expect(withAccount(wallet, { ...cash, balance: '9', version })).toBe(wallet);
});

test('an unknown account changes nothing', () => {
  expect(withAccount(wallet, { ...cash, kind: 'hold', version: 9 })).toBe(wallet);
  expect(withAccount(wallet, { ...cash, currency: 'FUN', version: 9 })).toBe(wallet);
});

test.each([
  ['0.10', '0.20', '0.1', '0.20'],
  ['9007199254740993.01', '9007199254740993.02', '9007199254740993.01', '9007199254740993.02'],
  ['5', '-0.5', '0', '4.5'],
  ['0.05', '0', '0.05', '0.00'],
])('total %s, new balance %s, old balance %s: total %s', (total, balance, before, expected) => {
  const start = { ...wallet, total, accounts: [{ ...cash, balance: before }] };
  expect(withAccount(start, { ...cash, balance, version: 5 }).total).toBe(expected);
});

test('an event changes a cached wallet and does not create one', () => {
  const cache = new QueryClient();
  const event = '{"kind":"cash","currency":"VND","balance":12480500,"version":5}';
  applyBalance(cache, event);
  expect(cache.getQueryData(walletQuery.queryKey)).toBeUndefined();
  cache.setQueryData(walletQuery.queryKey, wallet);
  applyBalance(cache, event);
  expect(cache.getQueryData(walletQuery.queryKey)?.total).toBe('12480750');
});
