// @vitest-environment jsdom
import { i18n } from '@lingui/core';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../lib/testing/answers.ts';
import { game } from '../lib/testing/fixtures.ts';
import { readGame } from './catalogue.ts';
import { clearSession, startSession } from './session.ts';
import { launch } from './use-launch.ts';

const recent = 'POST /wps/relay/GCS_recentGame';
/** Allows for a slow machine. */
const slowMachine = { timeout: 60_000 };
const feedback = { maintenance: vi.fn(), unsupported: vi.fn(), gone: vi.fn() };

beforeEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  clearSession();
  feedback.maintenance.mockReset();
  feedback.unsupported.mockReset();
  feedback.gone.mockReset();
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
  launch(new QueryClient(), readGame(game(1, more), 'en'), feedback);

test('a game under maintenance shows a message, also to a visitor, and does not open', () => {
  start({ maintenance: true });
  expect(location.pathname).toBe('/m/home');
  expect(feedback.maintenance).toHaveBeenCalledWith(
    expect.objectContaining({ vendorName: 'Jade Lantern' }),
  );
});

test('a game that is not open shows a message instead of the login', () => {
  start({ notOpen: true });
  expect(location.pathname).toBe('/m/home');
  expect(feedback.unsupported).toHaveBeenCalledTimes(1);
  logIn();
  start({ notOpen: true });
  expect(location.pathname).toBe('/m/home');
  // The lobby of this lottery vendor opens anyway.
  start({ notOpen: true, vassalage: 'TCG_SEA' });
  expect(location.pathname).toBe('/m/lottery');
  expect(feedback.unsupported).toHaveBeenCalledTimes(2);
});

test('GL-03 a game without play support shows a message and does not open', () => {
  logIn();
  start({ supportPlay: false });
  expect(location.pathname).toBe('/m/home');
  expect(feedback.unsupported).toHaveBeenCalledTimes(1);
});

test.each([
  ['TCG_LOTTO_VN', '/m/lottery', 1],
  ['TCG_SEA', '/m/lottery', 1],
  ['LOTT', '/m/launchGame', 1],
  ['ELOTT', '/m/launchGame', 1],
  // For other games the server records the launch, so the client sends nothing.
  ['JL', '/m/launchGame', 0],
])('LB-12 a game of %s opens %s and is recorded %i times', async (vassalage, path, recorded) => {
  logIn();
  const requests = answerWith({ [recent]: {} });
  start({ vassalage });
  expect(location.pathname).toBe(path);
  await expect.poll(() => requests, slowMachine).toHaveLength(recorded);
  expect(await Promise.all(requests.map((call) => call.json()))).toEqual(
    Array.from({ length: recorded }, () => ({ nodeId: '1001' })),
  );
});

test('a visitor is sent to the login, and nothing is recorded', () => {
  const requests = answerWith({});
  start({ vassalage: 'LOTT' });
  expect(location.pathname + location.search).toBe(
    '/m/login?return=%2Fm%2FlaunchGame%3Fcode%3Dlobby',
  );
  expect(requests).toHaveLength(0);
});

test.each([
  ['catalogue.unknown_game', 404, 1],
  ['system.error', 500, 0],
])('recording that fails with %s (%i) shows %i messages', async (code, status, messages) => {
  logIn();
  const requests = answerWith({ [recent]: new Failing(status, code) });
  start({ vassalage: 'LOTT' });
  await expect.poll(() => requests, slowMachine).toHaveLength(1);
  await expect.poll(() => feedback.gone.mock.calls.length, slowMachine).toBe(messages);
});
