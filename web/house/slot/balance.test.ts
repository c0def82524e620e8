// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import { type Api, OutcomeUnknownError } from '../kit/api.ts';
import { setLanguage } from '../kit/language.ts';
import { sendToGame } from '../kit/testing.ts';
import { SlotGame } from './game.ts';
import { aCommitment, aRound, aSession } from './testing.ts';

const stage = vi.hoisted(() => ({ hooks: {} as { landed: () => void } }));

// jsdom has no canvas.
vi.mock('./stage.ts', () => ({
  Stage: {
    open: (_: unknown, __: unknown, hooks: { landed: () => void }) => {
      stage.hooks = hooks;
      const names = [
        'setLabels',
        'resize',
        'setReducedMotion',
        'stopAt',
        'spin',
        'land',
        'fall',
        'showWins',
        'clear',
      ];
      return Promise.resolve({
        canvas: document.createElement('canvas'),
        ...Object.fromEntries(names.map((name) => [name, () => {}])),
      });
    },
  },
}));

vi.mock('../kit/sound.ts', () => ({
  playSound: () => {},
  setSoundEnabled: () => {},
  unlockSound: () => {},
  muteWhileHidden: () => {},
}));

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
    },
  );
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }));
  localStorage.clear();
  const parent = { postMessage: () => {} };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  await setLanguage('en');
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

/** Opens a slot with a stake of 10,000. `server` is the balance that the server reports; null means no reply. */
async function start(server: number | null, balance = 5000) {
  const get = vi.fn(() =>
    server === null
      ? Promise.reject(new OutcomeUnknownError())
      : Promise.resolve({ balance: server, open: null, last: null, next: aCommitment(1) }),
  );
  const post = vi.fn(() =>
    Promise.resolve({ round: aRound(), balance: 90_000, next: aCommitment(2) }),
  );
  const api = { get: get as Api['get'], post: post as Api['post'] };
  await new SlotGame(api, aSession({ balance })).start(document.body);
  return { get, post };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const tap = () => document.querySelector<HTMLButtonElement>('.spin')!.click();
const foot = () => document.querySelector('.slot-foot .value')?.textContent;
const bar = () => document.querySelector('.bar')?.textContent;

test('PP-01 (client) a slot adopts the balance from the app and spins with it', async () => {
  const { get, post } = await start(null);
  tap();
  await settle();
  expect(bar()).toContain('Not enough balance');
  sendToGame({ type: 'balance', balance: 105_000 });
  expect(foot()).toBe('105,000\u00A0₫');
  expect(bar()).not.toContain('Not enough balance');
  tap();
  await settle();
  expect(post).toHaveBeenCalledOnce();
  expect(get).toHaveBeenCalledOnce();
});

test('PP-01 (client) during a round the balance comes from the round itself', async () => {
  await start(null, 100_000);
  tap();
  sendToGame({ type: 'balance', balance: 7 });
  expect(foot()).toBe('100,000\u00A0₫');
  await settle();
  sendToGame({ type: 'balance', balance: 7 });
  await vi.advanceTimersByTimeAsync(2500);
  stage.hooks.landed();
  await settle();
  expect(foot()).toBe('90,000\u00A0₫');
});

test('PP-01 (client) the balance is fetched once before a spin is refused', async () => {
  const { get, post } = await start(5000);
  tap();
  tap();
  await settle();
  expect(get).toHaveBeenCalledOnce();
  expect(post).not.toHaveBeenCalled();
  expect(bar()).toContain('Not enough balance');
});

test('PP-01 (client) a spin that the fetched balance covers starts once', async () => {
  const { get, post } = await start(100_000);
  tap();
  tap();
  await settle();
  expect(get).toHaveBeenCalledOnce();
  expect(post).toHaveBeenCalledExactlyOnceWith('spin', {
    spinId: expect.any(String),
    stake: 10_000,
    clientSeed: 'own',
    commitment: expect.any(String),
  });
});
