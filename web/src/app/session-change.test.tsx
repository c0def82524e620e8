// The requests and the history of the whole shell when a session starts or ends.
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import golden from '../../../internal/site/merchant/testdata/register.golden.json';
import { retryLogouts } from '../api/pending-logouts.ts';
import { clearSession, currentSession, startSession, useSessionStore } from '../api/session.ts';
import { entry, onLayer } from '../lib/layers.ts';
import { closeOverlay } from '../lib/overlays.ts';
import { navigate } from '../lib/router.tsx';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { announcement, homeAnswers } from '../lib/testing/fixtures.ts';
import { clearScreen, renderScreen } from '../lib/testing/screen.tsx';
import { toast } from '../ui/toastStore.ts';
import { Shell } from './Shell.tsx';
import { watchSessions } from './watch-sessions.ts';

const logout = 'DELETE /wps/session/logout';
let stop = () => {};

const logIn = () =>
  startSession({
    token: 'token-0',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });

beforeEach(async () => {
  await clearScreen();
  clearSession();
  closeOverlay();
  toast.hide();
  localStorage.clear();
});

afterEach(() => {
  stop();
  localStorage.clear();
  retryLogouts();
  vi.useRealTimers();
});

const brief = ({ method, url, headers }: Request) =>
  `${method} ${new URL(url).pathname} ${headers.get('Authorization') ?? 'no token'}`;

/** Renders the shell and watches the session as the app does. */
function open(path: string, more: Record<string, unknown> = {}) {
  history.replaceState(null, '', path);
  const answers: Record<string, unknown> = {
    ...homeAnswers,
    'GET /wps/relay/MCSFE_getListAnnouncements': [announcement(1)],
    'GET /wps/events': () => new Response(new ReadableStream()),
    'GET /wps/session/touch': {},
    'GET /wps/system/setting/register': golden.body.value,
    ...more,
  };
  const requests = answerWith(answers);
  const shown = renderScreen(<Shell />);
  let requestsBefore = 0;
  const unsubscribe = useSessionStore.subscribe(({ session }) => {
    if (!session) requestsBefore = requests.length;
  });
  const stopWatching = watchSessions(shown.cache);
  stop = () => {
    unsubscribe();
    stopWatching();
  };
  /** The requests since the session ended. */
  const requestsAfter = () => requests.slice(requestsBefore).map(brief);
  return { ...shown, requests, answers, requestsAfter };
}

async function logOut() {
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Log out?' }));
  await userEvent.click(question.getByRole('button', { name: 'Log out' }));
  await screen.findByRole('link', { name: 'Register' });
}

test('after a logout no request has the old token, and none needs a session', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  logIn();
  const { requests, requestsAfter } = open('/m/home', { [logout]: {} });
  await screen.findByText('12,480,500 ₫');
  await expect.poll(() => requests.map(brief)).toContain('GET /wps/events token-0');
  await logOut();
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  const calls = requestsAfter();
  expect(calls).toContain(`${logout} token-0`);
  const after = calls.filter((call) => !call.startsWith(logout));
  // Data for visitors is reloaded.
  expect(after).toContain('GET /wps/relay/MCSFE_getListAnnouncements no token');
  expect(after.filter((call) => call.endsWith('token-0'))).toEqual([]);
  expect(after.filter((call) => /\/(?:member|wallets|events|session)\b/.test(call))).toEqual([]);
  expect(screen.queryByText('12,480,500 ₫')).toBeNull();
});

test('a logout without a network works at once, and reaches the server later', async () => {
  logIn();
  const { requests, answers } = open('/m/home');
  await screen.findByText('12,480,500 ₫');
  await logOut();
  expect(currentSession()).toBeNull();
  const calls = () => requests.map(brief).filter((call) => call.startsWith(logout));
  await expect.poll(calls).toEqual([`${logout} token-0`]);
  answers[logout] = {};
  act(() => void dispatchEvent(new Event('online')));
  await expect.poll(calls).toEqual([`${logout} token-0`, `${logout} token-0`]);
  // Only the disabled automatic login stays on the device.
  await expect.poll(() => Object.entries(localStorage)).toEqual([['autoLogin', '0']]);
});

test('ST-08 public part: a token that the server no longer knows ends the session with a message, and home stays', async () => {
  logIn();
  const unknown = new Failing(401, 'user.or.token.invalid');
  const { requests } = open('/m/home', {
    'GET /wps/member/info': unknown,
    'GET /wps/v2/wallets/balance': unknown,
    'GET /wps/events': unknown,
    // The server accepts visitors here, but not an unknown token.
    'GET /wps/relay/MCSFE_getListAnnouncements': ({ headers }: Request) =>
      headers.has('Authorization') ? unknown : [announcement(1)],
  });
  expect(await screen.findByText('Logged out, please log in again')).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Register' })).toBeVisible();
  expect(location.pathname).toBe('/m/home');
  expect(localStorage.getItem('token')).toBeNull();
  expect(await screen.findByText('Game 1')).toBeVisible();
  expect((await screen.findAllByText('News 1'))[0]).toBeVisible();
  await expect.poll(() => screen.queryByText(/Load failed/)).toBeNull();
  // No logout is sent for an unknown token.
  expect(requests.map(brief).filter((call) => call.startsWith(logout))).toEqual([]);
});

test.each([
  ['the login', 'Login'],
  ['the registration', 'Register'],
])('one step back after %s skips home', async (_, name) => {
  open('/m/help');
  await screen.findByText('Still need help?');
  act(() => navigate('/m/home'));
  const { depth } = entry()!;
  const header = within(await screen.findByRole('banner'));
  await userEvent.click(await header.findByRole('link', { name }));
  await expect.poll(() => location.pathname).toMatch(/login|register/);
  expect(entry()!.depth).toBe(depth + 1);
  await screen.findByRole('heading', { level: 1, name: /Welcome back|Create an account/ });
  act(logIn);
  await expect.poll(() => location.pathname).toBe('/m/home');
  expect(entry()!.depth).toBe(depth);
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/help');
});

test('RT-03 in part: a visitor who registers instead of logging in reaches the target, and back skips both forms', async () => {
  open('/m/home');
  act(() => navigate('/m/gameRecord'));
  await screen.findByRole('heading', { level: 1, name: 'Welcome back' });
  const { depth } = entry()!;
  const openLink = async (name: string, heading: string) => {
    await userEvent.click(await within(screen.getByRole('main')).findByRole('link', { name }));
    await screen.findByRole('heading', { level: 1, name: heading });
    return location.pathname + location.search;
  };
  const query = '?return=%2Fm%2FgameRecord';
  expect(await openLink('Register', 'Create an account')).toBe(`/m/register${query}`);
  expect(await openLink('Login', 'Welcome back')).toBe(`/m/login${query}`);
  expect(await openLink('Register', 'Create an account')).toBe(`/m/register${query}`);
  act(logIn);
  await screen.findByRole('heading', { level: 1, name: 'Betting record' });
  expect(entry()!.depth).toBe(depth);
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/home');
});

test('opening a screen from the menu and going back are one history step each', async () => {
  open('/m/home');
  await userEvent.click(await screen.findByRole('button', { name: 'Menu' }));
  const menu = within(await screen.findByRole('dialog', { name: 'Menu' }));
  await expect.poll(() => onLayer()).toBe(true);
  await userEvent.click(await menu.findByRole('link', { name: 'Help center' }));
  await expect.poll(() => location.pathname).toBe('/m/help');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/home');
  expect(onLayer()).toBe(false);
  expect(screen.queryByRole('dialog')).toBeNull();
});
