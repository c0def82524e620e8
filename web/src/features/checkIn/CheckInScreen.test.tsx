import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import CheckInScreen from './CheckInScreen.tsx';

const before = {
  today: '2026-11-15',
  endsAt: 1_794_762_000_000,
  checkedIn: false,
  streak: 4,
  longest: 8,
  amount: 8000,
  currency: 'VND',
  days: [2000, 2000, 5000, 5000, 8000, 8000, 30_000].map((amount, index) => ({
    day: index + 1,
    amount,
    gift: index === 6,
    state: index < 4 ? 'done' : index === 4 ? 'today' : 'open',
  })),
  month: '2026-11',
  dates: ['2026-11-09', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-14'],
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

test('OS-10 part: shows the streak, what each day pays and the month', async () => {
  answerWith({ ...homeAnswers, 'GET /wps/checkIn': before });
  renderScreen(<CheckInScreen />);
  expect(await screen.findByText('Days in a row: 4')).toBeVisible();
  expect(screen.getByText('Checked in: 5')).toBeVisible();
  expect(screen.getByText('Missed: 1')).toBeVisible();
  expect(screen.getByAltText('Weekly gift')).toBeVisible();
});

test('OS-10 part: checks in once, then asks to come back', async () => {
  const after = { ...before, checkedIn: true, streak: 5 };
  let isDone = false;
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/checkIn': () => (isDone ? after : before),
    'POST /wps/checkIn': () => {
      isDone = true;
      return after;
    },
  });
  renderScreen(<CheckInScreen />);
  await userEvent.dblClick(await screen.findByRole('button', { name: /^Check in/ }));
  expect(await screen.findByText('Checked in today. Come back tomorrow.')).toBeVisible();
  expect(sentTo(requests, 'POST /wps/checkIn')).toHaveLength(1);
  expect(screen.queryByRole('button', { name: /^Check in/ })).toBeNull();
});

test('OS-10 part: a failure offers a retry', async () => {
  answerWith({ ...homeAnswers, 'GET /wps/checkIn': new Failing(500, 'system.error') });
  renderScreen(<CheckInScreen />);
  expect(await screen.findByRole('button', { name: /try again/i })).toBeVisible();
});
