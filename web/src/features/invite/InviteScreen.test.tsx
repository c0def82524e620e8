import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import InviteScreen from './InviteScreen.tsx';

const figures = { registered: 4, deposited: 2, rewarded: 1, waiting: 50_000, earned: 100_000 };
const referrals = {
  code: 'K7Q2',
  currency: 'VND',
  terms: { reward: 50_000, deposit: 200_000, turnover: 1_000_000, days: 30, most: 10 },
  month: figures,
  total: { ...figures, registered: 9 },
};
const call = 'GET /wps/relay/MCSFE_getReferralDetails';

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

test('RT-24 a member sees the code, its link and picture, the terms and the figures', async () => {
  answerWith({ ...homeAnswers, [call]: referrals });
  renderScreen(<InviteScreen />);
  expect(await screen.findByText('K7Q2')).toBeVisible();
  expect(screen.getByText(`${location.origin}/m/register?code=K7Q2`)).toBeVisible();
  expect(await screen.findByRole('img', { name: 'Invitation' })).toBeVisible();
  expect(screen.getByText('At most 10 rewards in a month')).toBeVisible();
  expect(screen.getByText(/deposits at least/)).toHaveTextContent('200,000');
  expect(screen.getByText('9')).toBeVisible();
});

test('RT-24 part: without a reward the code is shown alone', async () => {
  answerWith({ ...homeAnswers, [call]: { ...referrals, terms: undefined } });
  renderScreen(<InviteScreen />);
  expect(await screen.findByText('K7Q2')).toBeVisible();
  expect(screen.queryByText('For each friend you invite')).toBeNull();
});

test('RT-24 part: a visitor is asked to log in', () => {
  clearSession();
  answerWith(homeAnswers);
  renderScreen(<InviteScreen />);
  expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/m/login');
});
