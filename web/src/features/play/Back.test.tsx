import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { formatTime } from '../../lib/dates.ts';
import { onLayer } from '../../lib/layers.ts';
import { Failing } from '../../lib/testing/answers.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { comeIn, noLimits, vendorGame, show } from './testing.tsx';

beforeEach(comeIn);

afterEach(() => vi.restoreAllMocks());

test('a step back takes away what lies over the game, and the next one leaves it', async () => {
  await show();
  await expect.poll(frame).not.toBeNull();
  const told = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame);
  gameSays({ type: 'sheet', open: true });
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  const dismissed = { fairground: 1, type: 'dismiss' };
  await expect.poll(() => told.mock.calls.map(([message]) => message)).toContainEqual(dismissed);
  gameSays({ type: 'sheet', open: false });
  await expect.poll(() => onLayer()).toBe(true);
  expect(location.pathname).toBe('/m/launchGame');
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('a vendor’s game holds no step back', async () => {
  await show({ 'POST /wps/game/launchGame': vendorGame });
  await expect.poll(frame).not.toBeNull();
  gameSays({ type: 'sheet', open: true }, { origin: 'https://games.example' });
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('PP-07 (client) whoever starts a game amid a break reads until when it lasts', async () => {
  const until = Date.now() + 86_400_000;
  const pause = { kind: 'timeOut', period: '24h', since: 0, until, longer: [] };
  await show({
    'POST /wps/game/launchGame': new Failing(403, 'limits.excluded'),
    'GET /wps/member/limits': { ...noLimits, break: pause },
  });
  expect(await screen.findByText('You are on a break')).toBeDefined();
  const end = formatTime(until, 'en');
  expect(await screen.findByText((text) => text.includes(`until ${end}`))).toBeDefined();
});
