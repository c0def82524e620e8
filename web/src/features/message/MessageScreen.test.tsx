import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { homeAnswers, settings, switches } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import MessageScreen from './MessageScreen.tsx';

const chatCall = '/wps/relay/CBS_unreadCount';
const inboxCall = '/wps/relay/EMFE_getInboxUnreadCount';

function show(options: { type?: number; chat?: boolean } = {}) {
  const { type, chat = true } = options;
  if (type !== undefined) {
    startSession({
      token: 'token-1',
      type,
      userName: 'demo88',
      merchantCode: 'fairground',
      firstTimeLogin: false,
    });
  }
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/system/customerService': [
      { csType: 'AFFILIATELINK', path: '', url: 'https://partners.example.test/' },
    ],
    'GET /wps/system/settings/consolidated': {
      ...settings,
      downloadLinks: [{ resourceType: 'TELEGRAM', url: 'https://t.me/fairground' }],
    },
    'GET /wps/system/whitelabel': { ...switches, flags: { CBS3: chat } },
    'GET /wps/relay/MCSFE_getUnreadAnnouncementCount': { count: 5 },
    [`GET ${inboxCall}`]: { inboxUnreadCount: 120 },
    [`GET ${chatCall}`]: { totalUnreadCount: 4 },
  });
  renderScreen(<MessageScreen />);
  return () => requests.map(({ url }) => new URL(url).pathname);
}

const names = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));
const row = (name: RegExp) => screen.findByRole('link', { name });

beforeEach(() => {
  clearSession();
  history.replaceState(null, '', '/m/message');
});

test('RT-14 OS-03 EN-18 rows lead to every channel, with badges of at most 99+', async () => {
  show({ type: 0 });
  await expect.poll(async () => (await row(/^Announcements/)).textContent).toContain('5');
  await expect.poll(async () => (await row(/^Inbox/)).textContent).toContain('99+');
  await expect.poll(async () => (await row(/^Live chat/)).textContent).toContain('4');
  await expect
    .poll(names)
    .toEqual([
      '/m/chat',
      '/m/notice',
      '/m/webEmail',
      '/m/chat',
      'https://t.me/fairground',
      'https://partners.example.test/',
      '/m/service',
      '/m/member/feedback',
    ]);
});

test('OS-03 part: visitors see no badges, and nothing is asked for them', async () => {
  const paths = show();
  expect((await row(/^Inbox/)).textContent).not.toMatch(/\d/);
  expect(paths()).not.toContain(inboxCall);
  expect(paths()).not.toContain(chatCall);
});

test('RO-04: no chat count for guests', async () => {
  const paths = show({ type: 4 });
  await expect.poll(async () => (await row(/^Announcements/)).textContent).toContain('5');
  expect(paths()).not.toContain(chatCall);
  expect(paths()).not.toContain(inboxCall);
});

test('RO-04: no chat entry and no chat count without CBS3', async () => {
  const paths = show({ type: 0, chat: false });
  await expect.poll(async () => (await row(/^Inbox/)).textContent).toContain('99+');
  expect(screen.queryByRole('link', { name: /^Live chat/ })).toBeNull();
  expect(paths()).not.toContain(chatCall);
});
