// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import { type Api, OutcomeUnknownError } from '../kit/api.ts';
import { setLanguage } from '../kit/language.ts';
import { SlotGame } from './game.ts';
import type { Session, Slot } from './session.ts';
import { aCommitment, aRound, aSession, aSpin, aStep } from './testing.ts';
import { pauseMs } from './timing.ts';

// jsdom has no canvas, so this stage records its calls.
const stage = vi.hoisted(() => ({
  calls: [] as unknown[][],
  hooks: {} as { landed: () => void; fallen: () => void },
}));

vi.mock('./stage.ts', () => ({
  Stage: {
    open: (_: unknown, __: unknown, hooks: { landed: () => void; fallen: () => void }) => {
      stage.hooks = hooks;
      const note =
        (name: string) =>
        (...args: unknown[]) => {
          stage.calls.push([name, ...args]);
        };
      return Promise.resolve({
        canvas: document.createElement('canvas'),
        ...Object.fromEntries(
          [
            'setLabels',
            'resize',
            'setReducedMotion',
            'stopAt',
            'spin',
            'land',
            'fall',
            'showWins',
            'clear',
          ].map((name) => [name, note(name)]),
        ),
      });
    },
  },
}));

const { played } = vi.hoisted(() => ({ played: [] as string[] }));
vi.mock('../kit/sound.ts', () => ({
  playSound: (name: string) => played.push(name),
  setSoundEnabled: () => {},
  unlockSound: () => {},
  muteWhileHidden: () => {},
}));

const callsOf = (name: string) => stage.calls.filter(([args]) => args === name);
const button = (name: string) => document.querySelector<HTMLButtonElement>(name)!;
const announced = () => document.querySelector('[role=status]')?.textContent;
const bar = () => document.querySelector('.bar')?.textContent;

let sent: unknown[];

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
  stage.calls.length = 0;
  played.length = 0;
  sent = [];
  const parent = { postMessage: (message: unknown) => sent.push(message) };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  await setLanguage('en');
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

async function start(
  api: Partial<Api>,
  session: Partial<Omit<Session, 'slot'>> = {},
  slot: Partial<Slot> = {},
): Promise<void> {
  await new SlotGame(
    { get: () => Promise.reject(new OutcomeUnknownError()), post: vi.fn(), ...api },
    aSession(session, slot),
  ).start(document.body);
}

const settle = () => vi.advanceTimersByTimeAsync(0);

const cells = [
  [0, 1],
  [1, 1],
  [2, 1],
] as const;

const freeWins = [
  { line: 1, ways: 0, symbol: 'A', count: 3, times: 10, amount: 10_000, cells },
] as const;
const withFree = (win: number) =>
  aRound({
    id: 'r-free',
    win,
    net: win - 10_000,
    freeRounds: 2,
    spins: [
      aSpin({ awarded: 2 }),
      aSpin({
        free: true,
        stops: [9, 9, 9, 9, 9],
        win,
        steps: [aStep({ win, wins: win > 0 ? freeWins : [], multiplier: 2 })],
      }),
      aSpin({ free: true, stops: [7, 7, 7, 7, 7], steps: [aStep({ multiplier: 2 })] }),
    ],
  });

const counter = () => document.querySelector<HTMLElement>('.counter')!;

test('GL-07 (free rounds) free rounds play one after another in full, with their number and the amount won so far', async () => {
  const post = vi.fn(() =>
    Promise.resolve({ round: withFree(20_000), balance: 110_000, next: aCommitment(2) }),
  );
  await start({ post: post as Api['post'] });
  button('.spin').click();
  await settle();
  stage.hooks.landed();
  expect(document.querySelector('.slot-foot .value')?.textContent).toContain('90,000');
  await vi.advanceTimersByTimeAsync(pauseMs.betweenFree);
  expect(bar()).toContain('2 free rounds to come');
  await vi.advanceTimersByTimeAsync(pauseMs.award);
  expect(counter().textContent).toBe('Free round 1 of 2 · ×2');
  expect(callsOf('land').map(([, stops]) => stops)).toEqual([
    [1, 2, 3, 4, 5],
    [9, 9, 9, 9, 9],
  ]);
  // No tap shortens a free round or starts another.
  button('.spin').click();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(callsOf('spin')).toHaveLength(2);
  expect(post).toHaveBeenCalledTimes(1);
  stage.hooks.landed();
  expect(played.some((name) => name.startsWith('win'))).toBe(false);
  await vi.advanceTimersByTimeAsync(pauseMs.won);
  expect(counter().textContent).toBe('Free round 2 of 2 · ×2');
  expect(bar()).toContain('Back so far: 20,000');
  expect(sent).not.toContainEqual(expect.objectContaining({ type: 'round' }));
  stage.hooks.landed();
  expect(counter().hidden).toBe(true);
  expect(played.filter((name) => name.startsWith('win'))).toEqual(['winSmall']);
  expect(announced()).toBe(
    'You won 20,000\u00A0₫. 2 free rounds. After the stake: +10,000\u00A0₫.',
  );
  expect(document.querySelector('.slot-foot .value')?.textContent).toContain('110,000');
  expect(sent).toContainEqual(expect.objectContaining({ type: 'round', win: 20_000 }));
});

test('PP-10 (client) free rounds that return at most the stake are not celebrated', async () => {
  const post = vi.fn(() =>
    Promise.resolve({ round: withFree(10_000), balance: 100_000, next: aCommitment(2) }),
  );
  await start({ post: post as Api['post'] });
  button('.spin').click();
  await settle();
  stage.hooks.landed();
  await vi.advanceTimersByTimeAsync(pauseMs.betweenFree + pauseMs.award);
  stage.hooks.landed();
  await vi.advanceTimersByTimeAsync(pauseMs.won);
  stage.hooks.landed();
  expect(played.some((name) => name.startsWith('win'))).toBe(false);
  expect(callsOf('showWins').at(-1)?.slice(2)).toEqual([true, 0]);
  expect(document.querySelector<HTMLElement>('.bar')?.dataset.kind).toBe('returned');
});

test('GL-07 (cascade) winning symbols fall away step by step, and the total is shown at the end', async () => {
  const first = aStep({ win: 4000, wins: freeWins });
  const second = aStep({ win: 9000, wins: freeWins, multiplier: 2 });
  const third = aStep({ multiplier: 3 });
  const spins = [aSpin({ win: 13_000, steps: [first, second, third] })];
  const round = aRound({ win: 13_000, net: 3000, spins });
  const post = vi.fn(() => Promise.resolve({ round, balance: 103_000, next: aCommitment(2) }));
  await start({ post: post as Api['post'] }, {}, { kind: 'cascade', lines: 0, paylines: [] });
  button('.spin').click();
  await settle();
  stage.hooks.landed();
  expect(callsOf('fall').map(([, from, to]) => [from, to])).toEqual([[first, second]]);
  expect(bar()).toContain('Back so far: 4,000');
  stage.hooks.fallen();
  expect(bar()).toContain('Back so far: 13,000');
  expect(counter().textContent).toBe('×2');
  expect(played.some((name) => name.startsWith('win'))).toBe(false);
  stage.hooks.fallen();
  expect(callsOf('fall')).toHaveLength(2);
  expect(announced()).toContain('You won 13,000\u00A0₫. 2 falls.');
  expect(played.filter((name) => name.startsWith('win'))).toEqual(['winSmall']);
});

test('PP-15 (resume) a reload during free rounds shows the final result without spinning again', async () => {
  const last = withFree(20_000);
  await start({}, {}, { last });
  expect(bar()).toContain('Last round: 20,000');
  expect(bar()).toContain('2 free rounds');
  expect(callsOf('spin')).toHaveLength(0);
  expect(callsOf('stopAt').at(-1)?.slice(1)).toEqual([
    [7, 7, 7, 7, 7],
    last.spins[2]?.steps[0]?.grid,
  ]);
});
