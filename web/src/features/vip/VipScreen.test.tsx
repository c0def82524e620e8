import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import VipScreen from './VipScreen.tsx';

const level = (number: number, state: string) => ({
  level: number,
  name: `VIP ${number}`,
  turnover: number * 10_000_000,
  percent: number / 10,
  reward: number === 0 ? 0 : number * 100_000,
  state,
});
const rank = {
  level: 1,
  name: 'VIP 1',
  currency: 'VND',
  days: 30,
  until: 0,
  turnover: 15_000_000,
  next: 20_000_000,
  left: 5_000_000,
  levels: [level(0, 'passed'), level(1, 'current'), level(2, 'ahead')],
};
const call = 'GET /wps/relay/MCSFE_getPlayerRankProgress';

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

test('OS-14 the VIP screen shows the level, the progress and what each level brings', async () => {
  answerWith({ ...homeAnswers, [call]: rank });
  renderScreen(<VipScreen />);
  expect(await screen.findByRole('heading', { name: 'VIP 1' })).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Way to the next level' })).toHaveAttribute(
    'aria-valuenow',
    '75',
  );
  expect(screen.getByText(/Still to stake/)).toHaveTextContent('5,000,000');
  const rows = screen.getAllByRole('row').slice(1);
  expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual([null, 'true', null]);
  expect(rows[0]).toHaveTextContent('+0.2%');
  expect(rows[0]).toHaveTextContent('200,000');
});

test('the highest level has no next one', async () => {
  answerWith({ ...homeAnswers, [call]: { ...rank, level: 2, name: 'VIP 2', next: 0, left: 0 } });
  renderScreen(<VipScreen />);
  expect(await screen.findByText('This is the highest level')).toBeVisible();
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
});
