import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { clearSession, endSession, startSession } from '../api/session.ts';
import { cashBackFlag } from '../api/switches.gen.ts';
import { closeOverlay } from '../lib/overlays.ts';
import { navigate } from '../lib/router.tsx';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { homeAnswers, settings, status, switches } from '../lib/testing/fixtures.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { toast, useToastStore } from '../ui/toastStore.ts';
import { Shell } from './Shell.tsx';
import { guardNavigation } from './useGuard.ts';

const logIn = (type: number) =>
  startSession({
    token: `token-${type}`,
    type,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });

beforeEach(() => {
  clearSession();
  closeOverlay();
  toast.hide();
});

function open(path: string, answers: Record<string, unknown> = homeAnswers) {
  history.replaceState(null, '', path);
  answerWith(answers);
  return renderScreen(<Shell />);
}

const menu = () => within(screen.getByRole('navigation', { name: 'Main' }));
const items = () =>
  menu()
    .getAllByRole('link')
    .map((link) => `${link.textContent} ${link.getAttribute('href')}`);

test('HD-01 a visitor sees logo, login and register', async () => {
  open('/m/home');
  const header = within(await screen.findByRole('banner'));
  expect(header.getByRole('link', { name: 'Fairground' }).getAttribute('href')).toBe('/m/home');
  expect(header.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/m/login');
  expect(header.getByRole('link', { name: 'Register' }).getAttribute('href')).toBe('/m/register');
});

test('HD-02 a member sees balance, nickname, VIP label and the logout button', async () => {
  logIn(0);
  open('/m/home');
  expect(await screen.findByText('12,480,500 ₫')).toBeVisible();
  expect(screen.getByText('Minh Anh')).toBeVisible();
  expect(screen.getByText('VIP 3')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test.each([
  ['999999999', '999,999,999 ₫'],
  ['1234567890', '1,234,567,890 ₫'],
  ['123456789012345', '123,456,789,012,345 ₫'],
])('HD-02 KO-04 a balance of %s is shown to its last digit', async (balance, text) => {
  logIn(0);
  open('/m/home', {
    ...homeAnswers,
    'GET /wps/v2/wallets/balance': {
      sumBalance: Number(balance),
      currency: 'VND',
      currencySymbol: '₫',
      balance: [{ kind: 'cash', currency: 'VND', balance: Number(balance), version: 1 }],
    },
  });
  const shown = await screen.findByText(text);
  expect(shown.getAttribute('aria-hidden')).toBeNull();
});

test('play money has its own name, not the merchant\u2019s currency', async () => {
  logIn(4);
  open('/m/home', {
    ...homeAnswers,
    'GET /wps/v2/wallets/balance': {
      sumBalance: 5000,
      currency: 'FUN',
      currencySymbol: 'FUN',
      balance: [{ kind: 'cash', currency: 'FUN', balance: 5000, version: 1 }],
    },
  });
  expect(await screen.findByText('5,000 FUN')).toBeVisible();
});

test('HD-02 without nickname and label: account and 0', async () => {
  logIn(0);
  open('/m/home', {
    ...homeAnswers,
    'GET /wps/member/info': {
      id: '7',
      nickname: '',
      account: 'demo88',
      type: 0,
      clubLabel: { labelName: '' },
    },
  });
  expect(await screen.findByText('0')).toBeVisible();
  expect(screen.getByText('demo88')).toBeVisible();
});

test('BM-03 visitor part, BM-06 invite part: the menu has a link to the login', async () => {
  open('/m/home');
  await screen.findByRole('link', { name: 'Invite friends' });
  expect(items()).toEqual([
    'Home /m/home',
    'Invite friends /m/inviteFriends',
    'Login /m/login',
    'Promotion /m/activity',
    'Me /m/login',
  ]);
});

test.each([0, 4])('BM-03 deposit part: the menu items of a member of type %i', async (type) => {
  logIn(type);
  open('/m/home');
  await screen.findByRole('link', { name: 'Invite friends' });
  expect(items()).toEqual([
    'Home /m/home',
    'Invite friends /m/inviteFriends',
    'Deposit /m/voucherCenter',
    'Promotion /m/activity',
    'Me /m/member/home',
  ]);
});

test('BM-02 code part: a member with an affiliate code sees it in the menu', async () => {
  logIn(0);
  open('/m/home', {
    ...homeAnswers,
    'GET /wps/member/info': {
      id: '7',
      nickname: '',
      account: 'demo88',
      type: 0,
      clubLabel: { labelName: '' },
      avatar: '',
      affiliateCode: 'demo88',
    },
  });
  await screen.findByRole('link', { name: 'Affiliate code' });
  expect(items()[1]).toBe('Affiliate code /m/inviteFriends');
});

test.each([
  [1, true],
  [2, true],
  [1, false],
])(
  'BM-02 notice part, BM-06 notice part: type %i has notices with a badge in second place, with REFERRAL %s',
  async (type, REFERRAL) => {
    logIn(type);
    open('/m/home', {
      ...homeAnswers,
      'GET /wps/system/whitelabel': { ...switches, promotions: { REFERRAL } },
      // Home's list does not contain the notices for agents.
      'GET /wps/relay/MCSFE_getListAnnouncements': [],
      'GET /wps/relay/MCSFE_getUnreadAnnouncementCount': { count: 7 },
    });
    const link = await screen.findByRole('link', { name: /7\s*Notice/ });
    expect(link.getAttribute('href')).toBe('/m/notice');
    expect(items().map((item) => item.split(' ').at(-1))).toEqual([
      '/m/home',
      '/m/notice',
      '/m/voucherCenter',
      '/m/activity',
      '/m/member/home',
    ]);
  },
);

test('BM-02 REFERRAL part: without it the menu has four items and no invitation', async () => {
  open('/m/home', {
    ...homeAnswers,
    'GET /wps/system/whitelabel': { ...switches, promotions: { REFERRAL: false } },
  });
  await expect.poll(() => items().length).toBe(4);
  expect(items().join()).not.toContain('inviteFriends');
});

test.each([
  ['while the switches load', () => new Promise(() => {})],
  ['when the switches cannot be loaded', new Failing(500, 'system.error')],
])('BM-02 REFERRAL part: the invitation is hidden %s', async (_, whitelabel) => {
  open('/m/home', { ...homeAnswers, 'GET /wps/system/whitelabel': whitelabel });
  await expect.poll(() => items().length).toBe(4);
  expect(items().join()).not.toContain('inviteFriends');
});

test('BM-05 guest part: a guest is asked to register', async () => {
  logIn(4);
  open('/m/home');
  await userEvent.click(await screen.findByRole('link', { name: 'Me' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Register now' }));
  expect(location.pathname).toBe('/m/register');
});

test('LY-06 home shows the logo, other screens the back button and the title', async () => {
  open('/m/home');
  await screen.findByRole('banner');
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  navigate('/m/activity');
  const heading = await screen.findByRole('heading', { level: 1, name: 'Promotion' });
  expect(screen.getByRole('button', { name: 'Back' })).toBeVisible();
  expect(document.title).toBe('Promotion · Fairground');
  await expect.poll(() => document.activeElement).toBe(heading);
});

test.each([
  ['/m/jackpot', true, true],
  ['/m/help', true, false],
  ['/m/message', false, true],
  ['/m/forget', false, false],
])('LY-01 LY-02 shell part: %s has a header: %s, a footer: %s', async (path, header, footer) => {
  open(path);
  await screen.findByRole('heading', { level: 1 });
  const around = [...document.querySelectorAll('header, nav[aria-label="Main"]')].filter(
    (bar) => !bar.closest('main'),
  );
  const has = (name: string) => around.some(({ tagName }) => tagName === name);
  expect([has('HEADER'), has('NAV')]).toEqual([header, footer]);
});

test('a screen that is not open yet has a title and a link back', async () => {
  logIn(0);
  open('/m/member/agent');
  expect(await screen.findByRole('heading', { level: 1, name: 'Agent' })).toBeVisible();
  await userEvent.click(await screen.findByRole('link', { name: 'To home' }));
  expect(location.pathname).toBe('/m/home');
});

test.each(['/m/message', '/m/messages'])(
  'RT-14 %s, which has no shared header, still has a title and a back button',
  async (path) => {
    open(path);
    expect(await screen.findByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
    expect(screen.getAllByRole('button', { name: 'Back' }).length).toBeGreaterThan(0);
  },
);

const cashBack = {
  ...homeAnswers,
  'GET /wps/system/whitelabel': {
    ...switches,
    flags: { ...switches.flags, [cashBackFlag]: true },
  },
};

test.each([
  ['withdraw', 'Withdraw', '/m/withdraw'],
  ['cash back', 'Cash back', '/m/member/manualRebate'],
  ['reward centre', 'Rewards', '/m/rewardCenter'],
])('RO-01 %s part: a tap sends a visitor to the login, and back returns', async (_, name, path) => {
  open('/m/home', cashBack);
  const shortcuts = within(await screen.findByRole('navigation', { name: 'Shortcuts' }));
  await userEvent.click(await shortcuts.findByRole('link', { name }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
  expect(location.pathname).toBe('/m/login');
  expect(new URLSearchParams(location.search).get('return')).toBe(path);
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/home');
});

test.each([
  '/m/launchGame?vendor=JL&gameId=rng-1',
  '/m/withdraw',
  '/m/member/manualRebate',
  '/m/rewardCenter',
])('RO-01 URL part: a visitor who opens %s is sent to the login', async (path) => {
  open(path, cashBack);
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
  expect(location.pathname).toBe('/m/login');
  expect(new URLSearchParams(location.search).get('return')).toBe(path);
});

test('RT-15 the inbox needs a session, and opens after the login', async () => {
  open('/m/webEmail', { ...homeAnswers, 'GET /wps/message/inbox': { list: [], next: '' } });
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
  expect(location.pathname + location.search).toBe('/m/login?return=%2Fm%2FwebEmail');
  logIn(0);
  expect(await screen.findByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
});

test('a screen that needs a session opens after the login', async () => {
  open('/m/gameRecord?day=1');
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
  expect(location.pathname + location.search).toBe('/m/login?return=%2Fm%2FgameRecord%3Fday%3D1');
  logIn(0);
  expect(await screen.findByRole('heading', { level: 1, name: 'Betting record' })).toBeVisible();
  expect(location.search).toBe('?day=1');
});

test.each([
  'https://evil.example/m/home',
  '//evil.example/m/',
  '/\\evil.example/m/',
  '/m/..//evil.example',
  '/m/\t/evil.example',
  '/m/\n//evil.example',
  'javascript:alert(1)',
])('SE-08 login return, app part: %j leads home', async (target) => {
  logIn(0);
  open(`/m/login?return=${encodeURIComponent(target)}`);
  await expect.poll(() => location.pathname).toBe('/m/home');
});

test.each([
  ['deposit', '/m/voucherCenter', 'Please login an actual account to use this function'],
  ['inbox', '/m/webEmail', 'Guests cannot use this function'],
  ['live chat', '/m/chat', 'Guests cannot use this function'],
])('RO-03 KO-01 %s part: a guest is refused with its message for 2 s', async (_, path, message) => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  logIn(4);
  open(path);
  expect(await screen.findByText(message)).toBeVisible();
  expect(location.pathname).toBe('/m/home');
  const { id } = useToastStore.getState().current!;
  expect(timers).toHaveBeenCalledWith(expect.any(Function), 2000, id);
});

test.each([
  ['message', '/m/voucherCenter', 'Please login an actual account to use this function'],
  ['question', '/m/member/home', 'You are playing as a guest'],
])('RO-10 in part: a refused guest stays on the screen, with a %s', async (_, path, message) => {
  guardNavigation();
  logIn(4);
  open('/m/help');
  await screen.findByText('Still need help?');
  act(() => navigate(path));
  expect(await screen.findByText(message)).toBeVisible();
  expect(location.pathname).toBe('/m/help');
  expect(screen.getByText('Still need help?')).toBeVisible();
});

test('ST-08 shell part: an ended session shows a message, and the login returns to the screen', async () => {
  logIn(0);
  open('/m/gameRecord');
  await screen.findByRole('heading', { level: 1, name: 'Betting record' });
  await endSession('token-0');
  expect(await screen.findByText('Logged out, please log in again')).toBeVisible();
  expect(location.pathname + location.search).toBe('/m/login?return=%2Fm%2FgameRecord');
});

test('ST-08 public part: on a public screen an ended session shows a message and the screen stays', async () => {
  logIn(0);
  open('/m/help');
  await screen.findByText('Still need help?');
  await endSession('token-0');
  expect(await screen.findByText('Logged out, please log in again')).toBeVisible();
  expect(location.pathname).toBe('/m/help');
});

test('ST-01 question: logging out asks first', async () => {
  logIn(0);
  open('/m/home', { ...homeAnswers, 'DELETE /wps/session/logout': {} });
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Log out?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Stay' }));
  expect(localStorage.getItem('token')).toBe('token-0');
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }));
  const second = within(await screen.findByRole('alertdialog', { name: 'Log out?' }));
  await userEvent.click(second.getByRole('button', { name: 'Log out' }));
  await expect.poll(() => localStorage.getItem('token')).toBeNull();
  expect(await screen.findByRole('link', { name: 'Register' })).toBeVisible();
});

test('after a logout the heading of home has the focus, and a message is shown', async () => {
  logIn(0);
  open('/m/home', { ...homeAnswers, 'DELETE /wps/session/logout': {} });
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Log out?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByText('Logged out')).toBeVisible();
  await expect
    .poll(() => document.activeElement)
    .toBe(screen.getByRole('heading', { level: 1, name: /Home$/ }));
});

test('the logout question closes when the session ends', async () => {
  logIn(0);
  open('/m/home');
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  await screen.findByRole('alertdialog', { name: 'Log out?' });
  await act(() => endSession('token-0'));
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
  act(() => logIn(0));
  await screen.findByRole('button', { name: 'Log out' });
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('the skip link moves the focus and does not change the URL or the history', async () => {
  open('/m/home');
  const steps = history.length;
  await userEvent.click(await screen.findByRole('link', { name: 'Skip to the content' }));
  expect(document.activeElement).toBe(screen.getByRole('main'));
  expect(location.hash).toBe('');
  expect(history.length).toBe(steps);
});

test.each([
  [1, 'a', '/m/home', 'IP restricted: access denied'],
  [2, 'a', '/m/withdraw', 'System under maintenance'],
  [1, 'b', '/m/login', 'System under maintenance'],
  [2, 'b', '/m/nowhere', 'IP restricted: access denied'],
] as const)('status %i in numbering %s closes %s: %s', async (code, reading, path, message) => {
  const closed = { ...status, systemStatus: code, statusReading: reading };
  const answers: Record<string, unknown> = { ...homeAnswers, 'GET /wps/system/status': closed };
  open(path, answers);
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
  await expect.poll(() => document.title).toBe(`${message} · Fairground`);
  // Ruling 1: every screen has a language picker.
  expect(await screen.findByRole('combobox', { name: 'Language' })).toBeVisible();
  answers['GET /wps/system/status'] = status;
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }));
  await expect.poll(() => screen.queryByText(message)).toBeNull();
});

test('the gallery exists in demo mode only', async () => {
  const { unmount } = open('/m/dev/ui');
  expect(await screen.findByRole('heading', { level: 1, name: 'Components' })).toBeVisible();
  unmount();
  open('/m/dev/ui', {
    ...homeAnswers,
    'GET /wps/system/settings/consolidated': { ...settings, demo: false },
  });
  expect(await screen.findByText('Game 1')).toBeVisible();
});
