import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import NotificationsScreen from './NotificationsScreen.tsx';

const topics = ['money', 'security', 'account', 'reward', 'promotion'];
const ways = ['inbox', 'push', 'email'];

const preferences = (promotions: boolean) => ({
  choices: topics.flatMap((topic) =>
    ways.map((way) => ({
      topic,
      way,
      allowed: topic === 'promotion' ? promotions : way !== 'email',
      fixed: way === 'inbox' && topic !== 'promotion',
    })),
  ),
  askedAt: 0,
  hasEmail: false,
  browsers: 0,
  pushKey: 'AAAA',
});

beforeEach(() => {
  clearSession();
  history.replaceState(null, '', '/m/member/notifications');
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

test('promotions are off until the member allows them', async () => {
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/member/notifications': preferences(false),
    'PUT /wps/member/notifications': preferences(true),
  });
  renderScreen(<NotificationsScreen />);
  const heading = await screen.findByRole('heading', { name: 'Promotions' });
  const card = within(heading.closest('section')!);
  expect(card.getByRole('switch', { name: 'Inbox' })).not.toBeChecked();
  await userEvent.click(card.getByRole('switch', { name: 'Inbox' }));
  await expect
    .poll(() => card.getByRole<HTMLInputElement>('switch', { name: 'Inbox' }).checked)
    .toBe(true);
  const put = requests.find(({ method }) => method === 'PUT');
  expect(await put?.json()).toEqual({
    choices: [{ topic: 'promotion', way: 'inbox', allowed: true }],
  });
});

test('messages about money always reach the inbox, and e-mail needs an address', async () => {
  answerWith({ ...homeAnswers, 'GET /wps/member/notifications': preferences(false) });
  renderScreen(<NotificationsScreen />);
  const heading = await screen.findByRole('heading', { name: 'Deposits and withdrawals' });
  const card = within(heading.closest('section')!);
  expect(card.getByText('Always')).toBeVisible();
  expect(card.getByText('Add an e-mail address first')).toBeVisible();
  expect(card.getAllByRole('switch')).toHaveLength(1);
});
