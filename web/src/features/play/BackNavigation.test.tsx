import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { formatTime } from '../../lib/dates.ts';
import { onLayer } from '../../lib/layers.ts';
import { Failing } from '../../lib/testing/answers.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { logInMember, noLimits, vendorGame, showGame } from './testing.tsx';

beforeEach(logInMember);

afterEach(() => vi.restoreAllMocks());

test('back closes the panel over the game, then leaves the game', async () => {
  await showGame();
  await expect.poll(frame).not.toBeNull();
  const postMessage = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame);
  gameSays({ type: 'sheet', open: true });
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  const dismissed = { fairground: 1, type: 'dismiss' };
  await expect
    .poll(() => postMessage.mock.calls.map(([message]) => message))
    .toContainEqual(dismissed);
  gameSays({ type: 'sheet', open: false });
  await expect.poll(() => onLayer()).toBe(true);
  expect(location.pathname).toBe('/m/launchGame');
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('a vendor’s game cannot block the back button', async () => {
  await showGame({ 'POST /wps/game/launchGame': vendorGame });
  await expect.poll(frame).not.toBeNull();
  gameSays({ type: 'sheet', open: true }, { origin: 'https://games.example' });
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('PP-07 (client) launching a game during a break shows when the break ends', async () => {
  const until = Date.now() + 86_400_000;
  const pause = { kind: 'timeOut', period: '24h', since: 0, until, longer: [] };
  await showGame({
    'POST /wps/game/launchGame': new Failing(403, 'limits.excluded'),
    'GET /wps/member/limits': { ...noLimits, break: pause },
  });
  expect(await screen.findByText('You are on a break')).toBeVisible();
  const end = formatTime(until, 'en');
  expect(await screen.findByText((text) => text.includes(`until ${end}`))).toBeVisible();
});
