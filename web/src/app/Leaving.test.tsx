// What a page asks for and where its steps lead once a session begins or ends, with the whole shell around it.
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import golden from '../../../internal/site/merchant/testdata/register.golden.json';
import { endWaiting } from '../api/ending.ts';
import { clearSession, currentSession, startSession, useSessionStore } from '../api/session.ts';
import { entry, onLayer } from '../lib/layers.ts';
import { closeOverlay } from '../lib/overlays.ts';
import { navigate } from '../lib/router.tsx';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { announcement, homeAnswers } from '../lib/testing/fixtures.ts';
import { clearScreen, renderScreen } from '../lib/testing/screen.tsx';
import { toast } from '../ui/toastStore.ts';
import { followSessions } from './live.ts';
import { Shell } from './Shell.tsx';

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
  endWaiting();
  vi.useRealTimers();
});

const brief = ({ method, url, headers }: Request) =>
  `${method} ${new URL(url).pathname} ${headers.get('Authorization') ?? 'nobody'}`;

/** The shell with all that follows a session, as the app has it. */
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
  const asked = answerWith(answers);
  const shown = renderScreen(<Shell />);
  let left = 0;
  const unsubscribe = useSessionStore.subscribe(({ session }) => {
    if (!session) left = asked.length;
  });
  const unfollow = followSessions(shown.cache);
  stop = () => {
    unsubscribe();
    unfollow();
  };
  /** What was asked for since the session went. */
  const since = () => asked.slice(left).map(brief);
  return { ...shown, asked, answers, since };
}

async function leave() {
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Log out?' }));
  await userEvent.click(question.getByRole('button', { name: 'Log out' }));
  await screen.findByRole('link', { name: 'Register' });
}

test('after a logout nothing is asked for with the dead token, and nothing that only members may ask for', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  logIn();
  const { asked, since } = open('/m/home', { [logout]: {} });
  await screen.findByText('12,480,500 ₫');
  await expect.poll(() => asked.map(brief)).toContain('GET /wps/events token-0');
  await leave();
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  const calls = since();
  expect(calls).toContain(`${logout} token-0`);
  const after = calls.filter((call) => !call.startsWith(logout));
  // What a visitor sees is asked for anew.
  expect(after).toContain('GET /wps/relay/MCSFE_getListAnnouncements nobody');
  expect(after.filter((call) => call.endsWith('token-0'))).toEqual([]);
  expect(after.filter((call) => /\/(?:member|wallets|events|session)\b/.test(call))).toEqual([]);
  expect(screen.queryByText('12,480,500 ₫')).toBeNull();
});

test('a logout without a network is one here at once, and reaches the server when there is one', async () => {
  logIn();
  const { asked, answers } = open('/m/home');
  await screen.findByText('12,480,500 ₫');
  await leave();
  expect(currentSession()).toBeNull();
  const calls = () => asked.map(brief).filter((call) => call.startsWith(logout));
  await expect.poll(calls).toEqual([`${logout} token-0`]);
  answers[logout] = {};
  act(() => void dispatchEvent(new Event('online')));
  await expect.poll(calls).toEqual([`${logout} token-0`, `${logout} token-0`]);
  // Nothing of the session stays on the device but that nobody is to be logged in by itself.
  await expect.poll(() => Object.entries(localStorage)).toEqual([['autoLogin', '0']]);
});

test('ST-08 public part: whoever starts with a token that the server no longer knows is told, and sees what visitors see', async () => {
  logIn();
  const unknown = new Failing(401, 'user.or.token.invalid');
  const { asked } = open('/m/home', {
    'GET /wps/member/info': unknown,
    'GET /wps/v2/wallets/balance': unknown,
    'GET /wps/events': unknown,
    // Whoever asks may be a visitor, but not somebody unknown.
    'GET /wps/relay/MCSFE_getListAnnouncements': ({ headers }: Request) =>
      headers.has('Authorization') ? unknown : [announcement(1)],
  });
  expect(await screen.findByText('Logged out, please log in again')).toBeDefined();
  expect(await screen.findByRole('link', { name: 'Register' })).toBeDefined();
  expect(location.pathname).toBe('/m/home');
  expect(localStorage.getItem('token')).toBeNull();
  expect(await screen.findByText('Game 1')).toBeDefined();
  expect((await screen.findAllByText('News 1'))[0]).toBeDefined();
  await expect.poll(() => screen.queryByText(/Load failed/)).toBeNull();
  // The server is not told of the end of what it does not know.
  expect(asked.map(brief).filter((call) => call.startsWith(logout))).toEqual([]);
});

test.each([
  ['the login', 'Login'],
  ['the registration', 'Register'],
])('after %s one step back is not home again', async (_, name) => {
  open('/m/help');
  await screen.findByText('Not open yet');
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

test('RT-03 in part: whoever was on the way somewhere and registers instead of logging in gets there, and no step back asks again', async () => {
  open('/m/home');
  act(() => navigate('/m/gameRecord'));
  await screen.findByRole('heading', { level: 1, name: 'Welcome back' });
  const { depth } = entry()!;
  const follow = async (name: string, heading: string) => {
    await userEvent.click(await within(screen.getByRole('main')).findByRole('link', { name }));
    await screen.findByRole('heading', { level: 1, name: heading });
    return location.pathname + location.search;
  };
  const way = '?return=%2Fm%2FgameRecord';
  expect(await follow('Register', 'Create an account')).toBe(`/m/register${way}`);
  expect(await follow('Login', 'Welcome back')).toBe(`/m/login${way}`);
  expect(await follow('Register', 'Create an account')).toBe(`/m/register${way}`);
  act(logIn);
  await screen.findByRole('heading', { level: 1, name: 'Betting record' });
  expect(entry()!.depth).toBe(depth);
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/home');
});

test('from the menu to a screen and back is one step each', async () => {
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
