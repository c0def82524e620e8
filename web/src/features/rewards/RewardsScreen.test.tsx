import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import RewardsScreen from './RewardsScreen.tsx';

const waiting = {
  id: '7',
  promotionId: '3',
  title: 'Welcome',
  category: 'event',
  status: 'UNCLAIMED',
  amount: 20_000,
  currency: 'VND',
  payout: 'cash',
  wagering: 0,
  paid: 0,
  createdAt: 1_794_700_000_000,
  expiresAt: 0,
};
const staked = {
  ...waiting,
  id: '8',
  title: 'First deposit',
  status: 'WAGERING',
  payout: 'bonus',
  wagering: 10,
  balance: 90_000,
  progress: { done: 250_000, total: 1_000_000, left: 750_000 },
};
const list = 'GET /wps/reward';

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

test('RT-10 the reward centre counts and sums what can be claimed', async () => {
  const second = { ...waiting, id: '9', title: 'Birthday', amount: 5000 };
  answerWith({ ...homeAnswers, [list]: { list: [waiting, second, staked], unclaimed: 2 } });
  renderScreen(<RewardsScreen />);
  const summary = await screen.findByRole('region', { name: 'Rewards to claim' });
  expect(summary).toHaveTextContent('Rewards to claim: 2');
  expect(summary).toHaveTextContent('25,000');
  expect(screen.getByText('Birthday')).toBeVisible();
  expect(screen.queryByText('First deposit')).toBeNull();
});

test('RT-32 part: a double tap claims a reward once', async () => {
  let isClaimed = false;
  const claimed = { ...waiting, status: 'CLAIMED', paid: 20_000 };
  const requests = answerWith({
    ...homeAnswers,
    [list]: () =>
      isClaimed ? { list: [claimed], unclaimed: 0 } : { list: [waiting], unclaimed: 1 },
    'POST /wps/reward/7/claim': () => {
      isClaimed = true;
      return claimed;
    },
  });
  renderScreen(<RewardsScreen />);
  await userEvent.dblClick(await screen.findByRole('button', { name: 'Claim' }));
  expect(await screen.findByText('No rewards here')).toBeVisible();
  const sent = sentTo(requests, 'POST /wps/reward/7/claim');
  expect(sent).toHaveLength(1);
  expect(sent[0]!.headers.get('Idempotency-Key')).toMatch(/\S/);
});

test('a bonus shows its wagering, and is given up after a question that says what is lost', async () => {
  const requests = answerWith({
    ...homeAnswers,
    [list]: { list: [staked], unclaimed: 0 },
    'DELETE /wps/reward/8': { ...staked, status: 'GIVEN_UP' },
  });
  renderScreen(<RewardsScreen />);
  expect(await screen.findByRole('progressbar', { name: 'Wagering' })).toHaveAttribute(
    'aria-valuenow',
    '25',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Give up' }));
  const question = await screen.findByRole('alertdialog');
  expect(question).toHaveTextContent('90,000');
  expect(sentTo(requests, 'DELETE /wps/reward/8')).toHaveLength(0);
  await userEvent.click(within(question).getByRole('button', { name: 'Give up' }));
  await expect.poll(() => sentTo(requests, 'DELETE /wps/reward/8')).toHaveLength(1);
});

test('a refused claim says why and keeps the reward', async () => {
  answerWith({
    ...homeAnswers,
    [list]: { list: [waiting], unclaimed: 1 },
    'POST /wps/reward/7/claim': new Failing(409, 'reward.state'),
  });
  renderScreen(<RewardsScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Claim' }));
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Claim' })).toBeEnabled();
});
