// @vitest-environment jsdom
import { i18n } from '@lingui/core';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../lib/testing/answers.ts';
import { game } from '../lib/testing/fixtures.ts';
import { readGame } from './catalogue.ts';
import { launch } from './launching.ts';
import { clearSession, startSession } from './session.ts';

const recent = 'POST /wps/relay/GCS_recentGame';
/** A busy machine is slow, not wrong. */
const patient = { timeout: 60_000 };
const tell = { closed: vi.fn(), notOpen: vi.fn(), gone: vi.fn() };

beforeEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  clearSession();
  tell.closed.mockReset();
  tell.notOpen.mockReset();
  tell.gone.mockReset();
  history.replaceState(null, '', '/m/home');
});

const logIn = () =>
  startSession({
    token: 't',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });

const start = (more: Record<string, unknown>) =>
  launch(new QueryClient(), readGame(game(1, more), 'en'), tell);

test('a game in maintenance is told, to a visitor as well, and leads nowhere', () => {
  start({ maintenance: true });
  expect(location.pathname).toBe('/m/home');
  expect(tell.closed).toHaveBeenCalledWith(expect.objectContaining({ vendorName: 'Jade Lantern' }));
});

test('a game that nobody serves yet is told before a login is asked for, and leads nowhere', () => {
  start({ notOpen: true });
  expect(location.pathname).toBe('/m/home');
  expect(tell.notOpen).toHaveBeenCalledTimes(1);
  logIn();
  start({ notOpen: true });
  expect(location.pathname).toBe('/m/home');
  // A lottery's lobby is not its game.
  start({ notOpen: true, vassalage: 'TCG_SEA' });
  expect(location.pathname).toBe('/m/lottery');
  expect(tell.notOpen).toHaveBeenCalledTimes(2);
});

test('GL-03 a game that cannot be played here is told so, and leads nowhere', () => {
  logIn();
  start({ supportPlay: false });
  expect(location.pathname).toBe('/m/home');
  expect(tell.notOpen).toHaveBeenCalledTimes(1);
});

test.each([
  ['TCG_LOTTO_VN', '/m/lottery', 1],
  ['TCG_SEA', '/m/lottery', 1],
  ['LOTT', '/m/launchGame', 1],
  ['ELOTT', '/m/launchGame', 1],
  // The launch of a game is noted by the server itself.
  ['JL', '/m/launchGame', 0],
])('LB-12 a member who opens a game of %s is at %s, noted: %i', async (vassalage, path, noted) => {
  logIn();
  const asked = answerWith({ [recent]: {} });
  start({ vassalage });
  expect(location.pathname).toBe(path);
  await expect.poll(() => asked, patient).toHaveLength(noted);
  expect(await Promise.all(asked.map((call) => call.json()))).toEqual(
    Array.from({ length: noted }, () => ({ nodeId: '1001' })),
  );
});

test('a visitor is led to the login, and nothing is noted', () => {
  const asked = answerWith({});
  start({ vassalage: 'LOTT' });
  expect(location.pathname + location.search).toBe(
    '/m/login?return=%2Fm%2FlaunchGame%3Fcode%3Dlobby',
  );
  expect(asked).toHaveLength(0);
});

test.each([
  ['catalogue.unknown_game', 404, 1],
  ['system.error', 500, 0],
])('what cannot be noted because of %s (%i) is told: %i', async (code, status, told) => {
  logIn();
  const asked = answerWith({ [recent]: new Failing(status, code) });
  start({ vassalage: 'LOTT' });
  await expect.poll(() => asked, patient).toHaveLength(1);
  await expect.poll(() => tell.gone.mock.calls.length, patient).toBe(told);
});
