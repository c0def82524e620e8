// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import { type Api, RefusedError, OutcomeUnknownError } from '../kit/api.ts';
import { setLanguage } from '../kit/language.ts';
import { cardText, sendToGame } from '../kit/testing.ts';
import { SlotGame } from './game.ts';
import type { Round, Session, Slot } from './session.ts';
import { aCommitment, aRound, aSession, aSpin, aStep } from './testing.ts';

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

async function land(): Promise<void> {
  await settle();
  await vi.advanceTimersByTimeAsync(2500);
  stage.hooks.landed();
  await vi.advanceTimersByTimeAsync(50);
}

test('PP-10 (client) two taps start one round, and the next may start after 2.5 seconds', async () => {
  const post = vi.fn(() =>
    Promise.resolve({ round: aRound(), balance: 90_000, next: aCommitment(2) }),
  );
  await start({ post: post as Api['post'] });
  button('.spin').click();
  button('.spin').click();
  await settle();
  button('.spin').click();
  expect(post).toHaveBeenCalledOnce();
  expect(button('.spin').getAttribute('aria-disabled')).toBe('true');
  await land();
  expect(button('.spin').getAttribute('aria-disabled')).toBe('false');
  expect(announced()).toBe('Nothing won in this round. After the stake: -10,000\u00A0₫.');
  button('.spin').click();
  expect(post).toHaveBeenCalledTimes(2);
  const ids = post.mock.calls.map(
    (call) => (call as unknown as [string, { spinId: string }])[1].spinId,
  );
  expect(new Set(ids).size).toBe(2);
});

test('PP-10 (client) a held key counts as one tap', async () => {
  await start({});
  const repeated = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, cancelable: true });
  button('.spin').dispatchEvent(repeated);
  expect(repeated.defaultPrevented).toBe(true);
});

const cells = [
  [0, 1],
  [1, 1],
  [2, 1],
] as const;

test.each([
  [10_000, false],
  [4000, false],
  [10_500, true],
])('PP-10 (client) a return of %d for 10000: celebrated is %s', async (win, celebrated) => {
  const wins = [{ line: 1, ways: 0, symbol: 'A', count: 3, times: 1, amount: win, cells }];
  const round = aRound({ win, spins: [aSpin({ win, steps: [aStep({ wins, win })] })] });
  await start({
    post: vi.fn(() => Promise.resolve({ round, balance: 1, next: aCommitment(2) })) as Api['post'],
  });
  button('.spin').click();
  await land();
  expect(played.some((name) => name.startsWith('win'))).toBe(celebrated);
  const [shown] = callsOf('showWins');
  expect(shown?.[2]).toBe(!celebrated);
  expect(Number(shown?.[3]) > 0).toBe(celebrated);
  expect(document.querySelector<HTMLElement>('.bar')?.dataset.kind).toBe(
    celebrated ? 'win' : 'returned',
  );
});

test('the app is notified when a round starts and when its result is shown', async () => {
  const round = aRound({ id: 'r-9', win: 500 });
  await start({
    post: vi.fn(() => Promise.resolve({ round, balance: 1, next: aCommitment(2) })) as Api['post'],
  });
  button('.spin').click();
  await land();
  expect(sent).toEqual([
    {
      fairground: 1,
      type: 'ready',
      title: 'Rồng Vàng',
      engine: 'slot',
      rtp: '96.20',
      provable: true,
      backdrop: expect.any(String),
    },
    { fairground: 1, type: 'promise', nonce: 1, commitment: 'ab'.repeat(32), clientSeed: 'own' },
    { fairground: 1, type: 'busy', busy: true },
    { fairground: 1, type: 'round', roundId: 'r-9', stake: 10_000, win: 500 },
    { fairground: 1, type: 'promise', ...shownCommitment(2) },
    { fairground: 1, type: 'busy', busy: false },
  ]);
});

test('a spin without a reply is repeated, and an amber card says so', async () => {
  const post = vi
    .fn()
    .mockRejectedValueOnce(new OutcomeUnknownError())
    .mockRejectedValueOnce(new OutcomeUnknownError())
    .mockResolvedValue({ round: aRound(), balance: 90_000, next: aCommitment(2) });
  await start({ post });
  button('.spin').click();
  await settle();
  expect(document.querySelector('.card.amber')?.textContent).toContain('Reconnecting… try 1');
  await vi.advanceTimersByTimeAsync(1000);
  expect(document.querySelector('.card.amber')?.textContent).toContain('try 2');
  await vi.advanceTimersByTimeAsync(2000);
  expect(document.querySelector('.card')).toBeNull();
  expect(new Set(post.mock.calls.map(([, body]) => JSON.stringify(body))).size).toBe(1);
});

test('after 30 seconds without a reply the player may leave', async () => {
  await start({ post: vi.fn(() => Promise.reject(new OutcomeUnknownError())) });
  button('.spin').click();
  await vi.advanceTimersByTimeAsync(28_000);
  expect(document.querySelector('.act')).toBeNull();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(button('.act').textContent).toBe('Leave safely');
  button('.act').click();
  expect(sent.at(-1)).toEqual({ fairground: 1, type: 'close' });
});

test.each([
  ['house.limit_reached', 'A limit has been reached'],
  ['house.excluded', 'You cannot play at the moment'],
  ['house.session_expired', 'This session has ended'],
])('%s shows a card, and the reels return', async (code, text) => {
  await start({ post: vi.fn(() => Promise.reject(new RefusedError(code))) });
  button('.spin').click();
  await settle();
  expect(document.querySelector('[role=alert]')?.textContent).toContain(text);
  expect(callsOf('land')[0]?.[1]).toBeNull();
});

test('PP-05 (client) the card names the limit and the remaining amount, the stake can be lowered, and the last result stays', async () => {
  const post = vi
    .fn()
    .mockResolvedValueOnce({
      round: aRound({ win: 4000 }),
      balance: 94_000,
      next: aCommitment(2),
    })
    .mockRejectedValue(new RefusedError('house.limit_reached'));
  await start({ post });
  button('.spin').click();
  await land();
  button('.spin').click();
  await settle();
  expect(sent.filter((one) => (one as { type: string }).type === 'limit')).toHaveLength(1);
  const limit = { kind: 'stake', period: 'day', amount: 25_000, left: 5000 };
  sendToGame({ type: 'room', limit });
  expect(cardText()).toContain('This stake is over your limit');
  expect(cardText()).toContain('in 24 hours is 25,000\u00A0₫. Left: 5,000\u00A0₫.');
  expect(bar()).toContain('Last round: 4,000');
  const [lower, limits] = [...document.querySelectorAll<HTMLElement>('.act')];
  limits!.click();
  expect(sent.at(-1)).toEqual({ fairground: 1, type: 'limits' });
  expect(lower!.textContent).toBe('Lower the stake to 5,000\u00A0₫');
  lower!.click();
  expect(document.querySelector('[role=alert]')).toBeNull();
  expect(bar()).toContain('Last round: 4,000');
  await vi.advanceTimersByTimeAsync(3000);
  button('.spin').click();
  await settle();
  expect(post.mock.calls.at(-1)?.[1]).toMatchObject({ stake: 5000 });
});

test.each([
  ['a known', { kind: 'stake', period: 'day', amount: 25_000, left: 5000 }, 'Lower'],
  ['an unknown', null, 'Play on'],
])(
  'PP-05 (client) %s limit lets the player continue and keeps the focus',
  async (_, limit, way) => {
    await start({ post: vi.fn(() => Promise.reject(new RefusedError('house.limit_reached'))) });
    button('.spin').click();
    await settle();
    // Nothing is offered before the limit is known.
    expect(button('.act').textContent).toBe('My limits');
    button('.act').focus();
    sendToGame({ type: 'room', limit });
    expect(document.activeElement?.textContent).toBe('My limits');
    expect(button('.act').textContent).toContain(way);
    button('.act').click();
    expect(document.querySelector('[role=alert]')).toBeNull();
  },
);

test('PP-15 (resume) a reload shows the server’s result and stakes nothing', async () => {
  const post = vi.fn();
  const get = vi
    .fn()
    .mockResolvedValueOnce({ balance: 90_000, open: {}, last: null })
    .mockResolvedValue({
      balance: 95_000,
      open: null,
      last: aRound({ id: 'r-5', win: 5000 }),
      next: aCommitment(2),
    });
  const started = start({ post, get: get as Api['get'] }, {}, { open: aRound({ id: 'r-5' }) });
  await settle();
  expect(document.querySelector('.card.amber')?.textContent).toContain('still being settled');
  await vi.advanceTimersByTimeAsync(10_000);
  await started;
  expect(document.querySelector('.card')).toBeNull();
  expect(bar()).toContain('Last round: 5,000');
  expect(callsOf('showWins')[0]?.slice(2)).toEqual([true, 0]);
  expect(post).not.toHaveBeenCalled();
  expect(localStorage.getItem('house.shown.dragon')).toBe('r-5');
});

test('while the app pauses the game no round starts', async () => {
  const post = vi.fn();
  await start({ post });
  sendToGame({ type: 'pause', paused: true });
  button('.spin').click();
  expect(post).not.toHaveBeenCalled();
});

/** The message to the app about a commitment. */
function shownCommitment(nonce: number) {
  const { fixed: _, ...shown } = aCommitment(nonce);
  return shown;
}

const promises = () => sent.filter((message) => (message as { type: string }).type === 'promise');

test('PP-17 (client) the commitment can be read and copied before the bet', async () => {
  const copied: string[] = [];
  vi.stubGlobal('navigator', { clipboard: { writeText: (text: string) => copied.push(text) } });
  const first = aCommitment(1);
  const post = vi.fn(() =>
    Promise.resolve({ round: aRound(shownCommitment(1)), balance: 90_000, next: aCommitment(2) }),
  );
  await start({ post: post as Api['post'] }, {}, first);
  expect(promises()).toEqual([{ fairground: 1, type: 'promise', ...shownCommitment(1) }]);

  const values = () => [...document.querySelectorAll('dialog .seal')].map((one) => one.textContent);
  HTMLDialogElement.prototype.showModal = () => {};
  HTMLDialogElement.prototype.close = function close() {
    this.remove();
  };
  button('.tool').click();
  expect(values()).toEqual([first.commitment, '1', 'own']);
  button('dialog .copy').click();
  await settle();
  expect(copied).toEqual([first.commitment]);
  button('dialog .sheet-close').click();

  button('.spin').click();
  await settle();
  // The next commitment is sent with the result.
  expect(promises()).toHaveLength(1);
  await land();
  expect(promises().at(-1)).toEqual({ fairground: 1, type: 'promise', ...shownCommitment(2) });
  button('.tool').click();
  expect(values()).toEqual([aCommitment(2).commitment, '2', 'own']);
});

const settings = { theme: 'dark', sound: false, haptics: false, reducedMotion: true };
const warning = () => document.querySelector('.warning')?.textContent;

/** Replies to each spin with a round of the commitment and client seed that it names, with changes. */
const playedWith = (...changes: Partial<Round>[]) => {
  let nonce = 0;
  return ((_: string, body: { commitment: string; clientSeed: string }) => {
    const { commitment, clientSeed } = body;
    nonce += 1;
    const round = aRound({ id: `r-${nonce}`, nonce, commitment, clientSeed, ...changes.shift() });
    return Promise.resolve({
      round,
      balance: 90_000,
      next: { ...aCommitment(nonce + 1), fixed: false },
    });
  }) as Api['post'];
};

async function playRound(): Promise<void> {
  button('.spin').click();
  await land();
}

test('PP-17 part: rounds that match their commitment and client seed show no warning', async () => {
  await start({ post: playedWith() }, {}, { ...aCommitment(1), fixed: false });
  await playRound();
  await playRound();
  expect(announced()).toContain('Nothing won');
  expect(warning()).toBeUndefined();
});

test.each([
  [
    'another commitment',
    { commitment: 'cd'.repeat(32) },
    'Round 1 does not match the promise that the server made before the spin. Its result is not proven fair.',
  ],
  ['another nonce', { nonce: 5 }, 'Round 5 does not match the promise'],
  ['another client seed', { clientSeed: 'theirs' }, 'Round 1 used another client seed'],
])(
  'PP-17 part: a round with %s than before the spin shows a warning that stays',
  async (_, change, text) => {
    await start({ post: playedWith(change) }, {}, aCommitment(1));
    await playRound();
    expect(warning()).toContain(text);
    expect(document.querySelector('.warning')?.getAttribute('role')).toBe('alert');
    // The result and the balance are the server's.
    expect(announced()).toContain('Nothing won');
    expect(document.querySelector('.slot-foot')?.textContent).toContain('90,000');
    await playRound();
    expect(warning()).toContain(text);
    sendToGame({ type: 'settings', ...settings, language: 'pt' });
    await vi.waitUntil(() => warning()?.startsWith('A rodada'));
  },
);

test('PP-17 part: the warning returns after a reload', async () => {
  const swapped = { commitment: 'cd'.repeat(32) };
  await start({ post: playedWith(swapped) }, {}, aCommitment(1));
  await playRound();
  document.body.replaceChildren();
  await start({}, {}, { last: aRound({ id: 'r-1', nonce: 1, ...swapped }) });
  expect(warning()).toContain('Round 1 does not match the promise');
});

test('PP-17 part: after a refused seed, a round is compared with the new commitment', async () => {
  const answer = playedWith();
  const post = vi.fn().mockRejectedValueOnce(new RefusedError('house.other_seed'));
  post.mockImplementation(answer);
  const get = vi.fn(() =>
    Promise.resolve({ balance: 90_000, open: null, last: null, next: { ...aCommitment(1) } }),
  );
  await start({ post, get: get as Api['get'] });
  await playRound();
  expect(post.mock.calls.at(-1)?.[1]).toMatchObject({ commitment: aCommitment(1).commitment });
  expect(warning()).toBeUndefined();
});
