import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { barActionsId } from '../../lib/bar.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { clearScreen, renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import TransactionsScreen from './TransactionsScreen.tsx';

const movement = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  at: Date.now(),
  kind: 'deposit',
  wallet: 'main',
  amount: 500_000,
  balance: 700_000,
  reference: 'VELKPCYPHXCO',
  ...more,
});

const page = (list: unknown[]) => ({
  list,
  next: '',
  currency: 'VND',
  totals: {
    staked: 300_000,
    won: 120_000,
    result: -180_000,
    deposits: 500_000,
    withdrawals: 90_000,
  },
  lifetime: { deposits: 2_000_000, withdrawals: 650_000, net: 1_350_000 },
});

const path = '/wps/report/transaction';

async function show(answer: unknown) {
  await clearScreen();
  history.replaceState(null, '', '/m/transactionRecord');
  // The list is requested as text, because the same call also sends a file.
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/v2/wallets/merchant': {
      currency: 'VND',
      wallets: [
        { code: 'main', name: '', balance: 1 },
        { code: 'ACME', name: 'Acme Games', balance: 2 },
      ],
    },
    [`GET ${path}`]: answer,
  });
  renderScreen(
    <>
      <div id={barActionsId} />
      <TransactionsScreen />
      <ToastViewport />
    </>,
  );
  return () =>
    requests
      .filter(({ url }) => new URL(url).pathname === path)
      .map(({ url }) => new URL(url).searchParams);
}

beforeEach(() => {
  clearSession();
  toast.hide();
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

test("PP-02 the app's part: the totals of the period, and the net deposits of the account's life", async () => {
  const bet = movement('2', { kind: 'bet', amount: -10_000 });
  const queries = await show(page([movement('1'), bet]));
  const totals = await screen.findByLabelText('Totals');
  const total = (name: string) => within(totals).getByText(name).nextElementSibling;
  for (const [name, text] of [
    ['Staked', '300,000'],
    ['Won', '120,000'],
    ['Result', '180,000'],
    ['Deposits', '500,000'],
    ['Withdrawals', '90,000'],
    ['Net deposits since the start', '1,350,000'],
  ] as const)
    expect(total(name)).toHaveTextContent(text);
  const rows = within(screen.getByRole('list', { name: 'Transactions' })).getAllByRole('listitem');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toHaveTextContent('VELKPCYPHXCO');
  expect(rows[1]).toHaveTextContent('Stake');
  const day = 24 * 60 * 60 * 1000;
  const [first] = queries();
  expect(Number(first?.get('to')) - Number(first?.get('from'))).toBeGreaterThan(29 * day);
});

test("PP-02 the app's part: 92 days can be chosen, and movements of one kind", async () => {
  const queries = await show(page([movement('1')]));
  await screen.findByRole('list', { name: 'Transactions' });
  await userEvent.click(screen.getByRole('button', { name: '92 days' }));
  const day = 24 * 60 * 60 * 1000;
  await waitFor(() => {
    const last = queries().at(-1);
    expect(Number(last?.get('to')) - Number(last?.get('from'))).toBeGreaterThan(91 * day);
  });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Withdrawal');
  await waitFor(() => expect(queries().at(-1)?.get('kind')).toBe('withdrawal'));
});

test("PP-02 the app's part: movements of one wallet can be chosen: the main one, the bonus, or one at a vendor", async () => {
  const queries = await show(page([movement('1', { wallet: 'ACME' })]));
  const rows = await screen.findByRole('list', { name: 'Transactions' });
  await screen.findByRole('option', { name: 'Acme Games' });
  expect(rows).toHaveTextContent('Deposit · Acme Games');
  for (const [name, code] of [
    ['Main wallet', 'main'],
    ['Bonus', 'bonus'],
    ['Acme Games', 'ACME'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- a person chooses one after the other
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Wallet' }), name);
    // oxlint-disable-next-line no-await-in-loop -- the same
    await waitFor(() => expect(queries().at(-1)?.get('wallet')).toBe(code));
  }
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Wallet' }), 'All wallets');
  await userEvent.click(screen.getByRole('button', { name: '7 days' }));
  await waitFor(() => expect(queries().at(-1)?.has('wallet')).toBe(false));
});

test("PP-02 the app's part: the movements can be saved as a file", async () => {
  const saved: string[] = [];
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => {};
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  let isDown = false;
  const queries = await show((request: Request) => {
    if (new URL(request.url).searchParams.get('format') !== 'csv') return page([movement('1')]);
    return isDown ? new Failing(500, 'system.error') : new Response('id,at\n1,2\n');
  });
  await screen.findByRole('list', { name: 'Transactions' });
  await userEvent.click(screen.getByRole('button', { name: 'Save as a file' }));
  await expect.poll(() => saved).toEqual(['transactions.csv']);
  expect(queries().at(-1)?.get('format')).toBe('csv');
  isDown = true;
  await userEvent.click(screen.getByRole('button', { name: 'Save as a file' }));
  expect(
    await screen.findByText('The file could not be loaded. Please try again.'),
  ).toBeInTheDocument();
  click.mockRestore();
});

test('the list says that it loads, that it is empty, and that it failed', async () => {
  const answer = Promise.withResolvers<unknown>();
  await show(() => answer.promise);
  expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  answer.resolve(page([]));
  expect(await screen.findByText('No transactions here')).toBeInTheDocument();
  let isDown = true;
  await show(() => (isDown ? new Failing(500, 'system.error') : page([movement('1')])));
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  isDown = false;
  await userEvent.click(retry);
  expect(await screen.findByRole('list', { name: 'Transactions' })).toBeInTheDocument();
});
