import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import RebateScreen from './RebateScreen.tsx';

const open = {
  state: 'open',
  every: 'day',
  period: '2026-11-14',
  from: 1_794_589_200_000,
  to: 1_794_675_600_000,
  claimBy: 1_795_194_000_000,
  currency: 'VND',
  level: 3,
  turnover: 3_000_000,
  amount: 21_000,
  min: 1000,
  running: 0,
  list: [
    { category: 'RNG', turnover: 1_000_000, percent: 0.8, amount: 8000 },
    { category: 'LIVE', turnover: 2_000_000, percent: 0.65, amount: 13_000 },
  ],
  history: [],
};

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

test('RT-11 OS-15 cash back shows stakes and rate by category and is claimed once', async () => {
  let isClaimed = false;
  const claimed = {
    ...open,
    state: 'claimed',
    history: [
      { period: open.period, amount: 21_000, turnover: 3_000_000, claimedAt: 1_794_700_000_000 },
    ],
  };
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/rebate': () => (isClaimed ? claimed : open),
    'POST /wps/rebate/claim': () => {
      isClaimed = true;
      return claimed;
    },
  });
  renderScreen(<RebateScreen />);
  const table = await screen.findByRole('table');
  const [, first, second] = within(table).getAllByRole('row');
  expect(first).toHaveTextContent('1,000,000');
  expect(first).toHaveTextContent('0.8%');
  expect(second).toHaveTextContent('0.65%');
  expect(second).toHaveTextContent('13,000');
  await userEvent.dblClick(screen.getByRole('button', { name: /^Claim/ }));
  expect(await screen.findByText('Claimed')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'History' })).toBeVisible();
  expect(sentTo(requests, 'POST /wps/rebate/claim')).toHaveLength(1);
});

test('without cash back to claim, the least amount is shown', async () => {
  answerWith({ ...homeAnswers, 'GET /wps/rebate': { ...open, state: 'none', amount: 0 } });
  renderScreen(<RebateScreen />);
  expect(await screen.findByText(/Nothing to claim/)).toHaveTextContent('1,000');
  expect(screen.queryByRole('button', { name: /^Claim/ })).toBeNull();
});

test('a failure offers a retry', async () => {
  answerWith({ ...homeAnswers, 'GET /wps/rebate': new Failing(500, 'system.error') });
  renderScreen(<RebateScreen />);
  expect(await screen.findByRole('button', { name: /try again/i })).toBeVisible();
});
