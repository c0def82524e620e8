import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../api/session.ts';
import { closeOverlay } from '../lib/overlays.ts';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { homeAnswers, switches } from '../lib/testing/fixtures.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { toast } from '../ui/toastStore.ts';
import { Shell } from './Shell.tsx';

const wallet = 'GET /wps/v2/wallets/balance';

beforeEach(() => {
  clearSession();
  closeOverlay();
  toast.hide();
});

function open(path: string, type: number, more: Record<string, unknown> = {}) {
  const session = { token: 't', type, userName: 'demo88', merchantCode: 'm' };
  startSession({ ...session, firstTimeLogin: false });
  history.replaceState(null, '', path);
  const answers: Record<string, unknown> = { ...homeAnswers, ...more };
  answerWith(answers);
  renderScreen(<Shell />);
  return answers;
}

test('a balance that failed to load shows the error, and a tap retries', async () => {
  const answers = open('/m/home', 0, { [wallet]: new Failing(503, 'request.timeout') });
  const retry = await screen.findByRole('button', { name: /took too long.*Refresh balance$/ });
  await userEvent.click(retry);
  expect((await screen.findByRole('alert')).textContent).toMatch(/took too long/);
  answers[wallet] = homeAnswers[wallet];
  await userEvent.click(retry);
  expect(await screen.findByText('12,480,500 ₫')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Refresh balance$/ })).toBeNull();
});

test('HD-02 part: if the member data fails to load, no placeholder stays', async () => {
  const info = 'GET /wps/member/info';
  let fail!: (failure: unknown) => void;
  open('/m/home', 0, { [info]: () => new Promise((resolve) => (fail = resolve)) });
  const memberLink = await screen.findByRole('link', { name: 'demo88' });
  const placeholders = () => [...memberLink.children].filter((child) => child.tagName !== 'BDI');
  await expect.poll(() => placeholders()).toHaveLength(1);
  fail(new Failing(500, 'system.error'));
  await expect.poll(() => placeholders()).toHaveLength(0);
  expect(memberLink.textContent).toBe('demo88');
});

test('the menu shows why the balance failed to load or to refresh', async () => {
  const answers = open('/m/home', 0, { [wallet]: new Failing(503, 'request.timeout') });
  await userEvent.click(await screen.findByRole('button', { name: 'Menu' }));
  const menu = within(await screen.findByRole('dialog', { name: 'Menu' }));
  expect(await menu.findByText(/took too long/)).toBeVisible();
  answers[wallet] = homeAnswers[wallet];
  await userEvent.click(menu.getByRole('button', { name: 'Refresh balance' }));
  expect(await menu.findByText('12,480,500 ₫')).toBeVisible();
  answers[wallet] = new Failing(500, 'system.error');
  await userEvent.click(menu.getByRole('button', { name: 'Refresh balance' }));
  expect(await screen.findByText(/^System error/)).toBeVisible();
  expect(menu.getByText('12,480,500 ₫')).toBeVisible();
});

test.each([
  [3, '12'],
  [300, '99+'],
])('EN-09 EN-18: with %d in the inbox the badge of the menu shows %s', async (inbox, shown) => {
  open('/m/home', 0, {
    'GET /wps/system/whitelabel': { ...switches, flags: { CBS3: true } },
    'GET /wps/relay/MCSFE_getUnreadAnnouncementCount': { count: 5 },
    'GET /wps/relay/EMFE_getInboxUnreadCount': { inboxUnreadCount: inbox },
    'GET /wps/relay/CBS_unreadCount': { totalUnreadCount: 4 },
  });
  const header = within(await screen.findByRole('banner'));
  expect(await header.findByText(shown)).toBeVisible();
});

const registerPrompt = () => screen.findByRole('alertdialog', { name: /playing as a guest/ });

test.each(['in the header', 'in the menu'])(
  'BM-05 guest part: a tap on the name %s asks a guest to register',
  async (place) => {
    open('/m/home', 4);
    let where = within(await screen.findByRole('banner'));
    if (place === 'in the menu') {
      await userEvent.click(where.getByRole('button', { name: 'Menu' }));
      where = within(await screen.findByRole('dialog', { name: 'Menu' }));
    }
    await userEvent.click(await where.findByRole('link', { name: /^Minh Anh/ }));
    expect(await registerPrompt()).toBeVisible();
    expect(location.pathname).toBe('/m/home');
  },
);

test('BM-05 guest part: the URL of the member centre shows the same question over home', async () => {
  open('/m/member/home', 4);
  expect(await registerPrompt()).toBeVisible();
  await expect.poll(() => location.pathname).toBe('/m/home');
});

test('a member with an account can open the member centre', async () => {
  open('/m/member/home', 0);
  expect(await screen.findByRole('heading', { level: 1, name: 'Member centre' })).toBeVisible();
});
