import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import TransferScreen from './TransferScreen.tsx';

const main = { code: 'main', name: 'Main', balance: 500_000 };
const vendor = { code: 'lotus', name: 'Lotus Studio', balance: 20_000 };
const list = 'GET /wps/v2/wallets/merchant';
const call = 'POST /wps/transaction/transfer';

beforeEach(() => {
  clearSession();
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

test('OS-20 money moves between two wallets, once for a double tap', async () => {
  const requests = answerWith({
    ...homeAnswers,
    [list]: { currency: 'VND', wallets: [main, vendor] },
    [call]: {},
  });
  renderScreen(<TransferScreen />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '150000');
  await userEvent.dblClick(screen.getByRole('button', { name: 'Move the money' }));
  await expect.poll(() => screen.getByRole('textbox', { name: 'Amount' })).toHaveValue('');
  const sent = sentTo(requests, call);
  expect(sent).toHaveLength(1);
  expect(await sent[0]!.json()).toEqual({ from: 'main', to: 'lotus', amount: 150_000 });
});

test('OS-20 part: more than the wallet has is refused before it is sent', async () => {
  const requests = answerWith({
    ...homeAnswers,
    [list]: { currency: 'VND', wallets: [main, vendor] },
  });
  renderScreen(<TransferScreen />);
  const amount = await screen.findByRole('textbox', { name: 'Amount' });
  await userEvent.type(amount, '500001');
  await userEvent.click(screen.getByRole('button', { name: 'Move the money' }));
  expect(amount).toBeInvalid();
  expect(sentTo(requests, call)).toHaveLength(0);
});

test('OS-20 part: with the main wallet alone there is nothing to move', async () => {
  answerWith({ ...homeAnswers, [list]: { currency: 'VND', wallets: [main] } });
  renderScreen(<TransferScreen />);
  expect(await screen.findByText(/nothing to move/)).toBeVisible();
});

test('a refused transfer says why and keeps the amount', async () => {
  answerWith({
    ...homeAnswers,
    [list]: { currency: 'VND', wallets: [main, vendor] },
    [call]: new Failing(409, 'wallet.insufficient'),
  });
  renderScreen(<TransferScreen />);
  const amount = await screen.findByRole('textbox', { name: 'Amount' });
  await userEvent.type(amount, '1000');
  await userEvent.click(screen.getByRole('button', { name: 'Move the money' }));
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(amount).toHaveValue('1000');
});
