// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import { type Api, RefusedError } from '../kit/api.ts';
import { cardText, sendToGame } from '../kit/testing.ts';
import { engine } from './baccarat.ts';
import { advance, announced, card, one, openTable, setUpGame, spot } from './game-testing.ts';
import { aBet, aRound, banker76 } from './testing.ts';

const { played } = vi.hoisted(() => ({ played: [] as string[] }));
vi.mock('../kit/sound.ts', () => ({
  playSound: (name: string) => played.push(name),
  setSoundEnabled: () => {},
  unlockSound: () => {},
  muteWhileHidden: () => {},
}));

const vibrations = vi.hoisted(() => ({ count: 0 }));
vi.mock('../kit/haptics.ts', () => ({
  vibrate: () => (vibrations.count += 1),
  setHaptics: () => {},
}));

let sent: unknown[];

beforeEach(async () => {
  played.length = 0;
  vibrations.count = 0;
  sent = await setUpGame();
  return () => vi.useRealTimers();
});

const messages = (type: string) =>
  sent.filter((message) => (message as { type: string }).type === type);

test('a stake is placed, confirmed with its total, and shown with its ticket', async () => {
  const post = vi.fn(() => Promise.resolve({ bet: aBet(), balance: 950_000 }));
  await openTable({}, { post: post as Api['post'] });
  spot('banker').click();
  expect(one('.confirm').textContent).toBe('Confirm 50,000\u00A0₫');
  one('.confirm').click();
  one('.confirm').click();
  await advance(0);
  expect(post).toHaveBeenCalledExactlyOnceWith('table/bet', {
    betId: expect.stringMatching(/^[\da-f-]{36}$/),
    round: '39',
    spots: { banker: 50_000 },
  });
  expect(one('.hint').textContent).toBe('Recorded 50,000\u00A0₫ · ticket A7F2');
  expect(spot('banker').getAttribute('aria-label')).toContain('your stake 50,000');
  expect(messages('busy')).toEqual([{ fairground: 1, type: 'busy', busy: true }]);
});

test('unconfirmed chips are returned when bets close, after three ticks and with one vibration', async () => {
  const { post } = await openTable();
  spot('tie').click();
  spot('player').click();
  await advance(18_500);
  expect(played.filter((name) => name === 'lockTick')).toHaveLength(3);
  expect(vibrations.count).toBe(0);
  await advance(600);
  expect(vibrations.count).toBe(1);
  expect(card().textContent).toContain('Bets are closed');
  expect(card().textContent).toContain('Chips that were not confirmed went back');
  expect(spot('player').dataset.mine).toBe('none');
  expect(post).not.toHaveBeenCalled();
  spot('player').click();
  expect(spot('player').dataset.mine).toBe('none');
});

test.each([
  [97_500, 'won', 'win', true, 'Returned 97,500\u00A0₫, less the stake +47,500\u00A0₫'],
  [
    50_000,
    'won',
    'plain',
    false,
    'Your stake of 50,000\u00A0₫ came back. Nothing won, nothing lost.',
  ],
  [25_000, 'won', 'plain', false, 'Returned 25,000\u00A0₫, less the stake -25,000\u00A0₫'],
  [0, 'lost', 'plain', false, 'Your stake of 50,000\u00A0₫ did not win.'],
] as const)(
  'PP-10 (client) a return of %d for 50000 (%s)',
  async (win, status, kind, isCelebrated, text) => {
    const { send } = await openTable({ mine: [aBet()], balance: 950_000 });
    await advance(20_100);
    const round = aRound({ phase: 'dealing', result: banker76 });
    send({ now: 22_100, round, mine: [aBet({ status, win })], balance: 950_000 + win });
    // The cards are not open yet, so the balance does not reveal the result.
    expect(one('.foot-value').textContent).toBe('950,000\u00A0₫');
    expect(one('.phase-pill').textContent).toBe('Dealing');
    await advance(engine.dealMs(banker76) - 100);
    // The server still deals; the last card has landed.
    expect(one('.phase-pill').textContent).toBe('Result');
    expect(card().textContent).toContain('Banker wins 7–6');
    await advance(3000);
    expect(card().dataset.kind).toBe(kind);
    expect(played.some((name) => name.startsWith('win'))).toBe(isCelebrated);
    expect(one('.foot-value').textContent).toBe(`${(950_000 + win).toLocaleString('en')}\u00A0₫`);
    expect(card().textContent).toContain(text);
    expect(spot('banker').dataset.result).toBe('won');
    expect(messages('round')).toEqual([
      { fairground: 1, type: 'round', roundId: '900', stake: 50_000, win },
    ]);
    expect(messages('busy').at(-1)).toMatchObject({ busy: false });
    expect(announced()).toContain('Banker wins 7–6');
    expect(localStorage.getItem('house.shown.live-001')).toBe('39');
  },
);

test('cards are dealt one after another and announced as they open', async () => {
  const { send } = await openTable();
  await advance(20_100);
  send({ now: 22_000, round: aRound({ phase: 'dealing', result: banker76 }) });
  await advance(300);
  expect(document.querySelectorAll('.playing-card')).toHaveLength(1);
  await advance(3500);
  expect(document.querySelectorAll('.playing-card[data-open=true]')).toHaveLength(4);
  expect(one('[data-side=banker] .hand-points').textContent).toBe('7');
});

test('a player who arrives late sees the result at once', async () => {
  await openTable({ now: 33_000, round: aRound({ phase: 'result', result: banker76 }) });
  expect(document.querySelectorAll('.playing-card[data-open=true]')).toHaveLength(4);
  expect(card().textContent).toContain('Banker wins 7–6');
  expect(card().textContent).toContain('You had no stake in this round.');
});

test.each([
  ['house.betting_closed', 'The betting has closed. This was not staked.'],
  ['house.below_minimum', 'That is less than this table takes.'],
  ['house.too_many_tickets', 'No more tickets in this round. The next one takes yours.'],
])('%s shows its notice', async (code, text) => {
  await openTable({}, { post: vi.fn(() => Promise.reject(new RefusedError(code))) });
  spot('banker').click();
  one('.confirm').click();
  await advance(0);
  expect(one('.hint').textContent).toBe(text);
  expect(announced()).toBe(text);
});

test('PP-04 (client) play continues after the reality check that refused a stake', async () => {
  const post = vi
    .fn()
    .mockRejectedValueOnce(new RefusedError('house.limit_reached'))
    .mockResolvedValue({ bet: aBet(), balance: 950_000 });
  await openTable({}, { post });
  spot('banker').click();
  one('.confirm').click();
  await advance(0);
  expect(one('[role=alert]').textContent).toContain('A limit has been reached');
  expect(messages('busy').at(-1)).toMatchObject({ busy: false });
  sendToGame({ type: 'pause', paused: true });
  expect(one('[role=alert]').textContent).toContain('A limit has been reached');
  sendToGame({ type: 'pause', paused: false });
  expect(document.querySelector('[role=alert]')).toBeNull();
  spot('banker').click();
  one('.confirm').click();
  await advance(0);
  expect(post).toHaveBeenCalledTimes(2);
  expect(one('.hint').textContent).toContain('Recorded');
});

test('PP-05 (client) a table names the limit once and continues with a stake that fits', async () => {
  const post = vi
    .fn()
    .mockRejectedValueOnce(new RefusedError('house.limit_reached'))
    .mockResolvedValue({ bet: aBet(), balance: 950_000 });
  const { send } = await openTable({}, { post });
  spot('banker').click();
  spot('tie').click();
  one('.confirm').click();
  await advance(0);
  expect(messages('limit')).toHaveLength(1);
  expect(one('.acts .act').textContent).toBe('My limits');
  sendToGame({
    type: 'room',
    limit: { kind: 'loss', period: 'week', amount: 90_000, left: 60_000 },
  });
  expect(cardText()).toContain('in 7 days is 90,000\u00A0₫. Left: 60,000\u00A0₫.');
  expect(one('.hint').textContent).not.toContain('Not possible');
  send({ mine: [aBet({ status: 'refused' })] });
  expect(one('.hint').textContent).not.toContain('Recorded');
  expect(one('.acts .act').textContent).toBe('Lower the stake to 50,000\u00A0₫');
  one('.acts .act').click();
  expect(document.querySelector('[role=alert]')).toBeNull();
  one('.confirm').click();
  await advance(0);
  expect(post.mock.calls.at(-1)?.[1]).toMatchObject({ spots: { banker: 50_000 } });
});

test('PP-04 (client) a pause does not reopen a table for an excluded player', async () => {
  await openTable({}, { post: vi.fn(() => Promise.reject(new RefusedError('house.excluded'))) });
  spot('banker').click();
  one('.confirm').click();
  await advance(0);
  for (const paused of [true, false]) sendToGame({ type: 'pause', paused });
  expect(one('[role=alert]').textContent).toContain('You cannot play at the moment');
});

test('an ended session stops the game', async () => {
  await openTable(
    {},
    { post: vi.fn(() => Promise.reject(new RefusedError('house.session_expired'))) },
  );
  spot('banker').click();
  one('.confirm').click();
  await advance(0);
  expect(one('[role=alert]').textContent).toContain('This session has ended');
  expect(sent.at(-1)).toEqual({ fairground: 1, type: 'expired' });
});

test('a round that is called off returns every stake', async () => {
  const { send } = await openTable({ mine: [aBet()] });
  send({
    now: 10_000,
    round: aRound({ phase: 'void' }),
    mine: [aBet({ status: 'refunded' })],
    balance: 1_000_000,
  });
  expect(card().textContent).toContain('Your stake of 50,000\u00A0₫ comes back.');
  expect(messages('round')).toEqual([
    { fairground: 1, type: 'round', roundId: '900', stake: 50_000, win: 50_000 },
  ]);
});

test('the app receives the game with the range of its returns', async () => {
  await openTable();
  expect(messages('ready')).toEqual([
    {
      fairground: 1,
      type: 'ready',
      title: 'Baccarat',
      engine: 'baccarat',
      rtp: '85.64-98.94',
      provable: true,
      backdrop: expect.stringMatching(/^#[\da-f]{6}$/),
    },
  ]);
});

test('arrow keys select chips, and a held key places one chip', async () => {
  await openTable();
  const chosen = () => one('[role=radio][aria-checked=true]').getAttribute('aria-label');
  expect(chosen()).toBe('50,000\u00A0₫');
  one('.chips').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  expect(chosen()).toBe('100,000\u00A0₫');
  const repeated = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, cancelable: true });
  spot('banker').dispatchEvent(repeated);
  expect(repeated.defaultPrevented).toBe(true);
});

test('PP-17 (client) each round’s commitment is sent when it opens, before any stake', async () => {
  const { send } = await openTable();
  const first = { commitment: 'c0'.repeat(32), clientSeed: 'baccarat-1', nonce: 39 };
  expect(messages('promise')).toEqual([{ fairground: 1, type: 'promise', ...first }]);
  send({ now: 3000, round: aRound({ phase: 'betting' }) });
  expect(messages('promise')).toHaveLength(1);
  send({ now: 40_000, round: aRound({ id: '40', number: 40, commitment: 'd1'.repeat(32) }) });
  expect(messages('promise').at(-1)).toEqual({
    fairground: 1,
    type: 'promise',
    commitment: 'd1'.repeat(32),
    clientSeed: 'baccarat-1',
    nonce: 40,
  });
});
