// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import type { ServerEvent } from '../../src/lib/sse.ts';
import { type Api, Refusal, Unknown } from '../kit/api.ts';
import { speak } from '../kit/language.ts';
import type { Stream } from '../kit/stream.ts';
import { cardSays, tellGame } from '../kit/testing.ts';
import { engine } from './baccarat.ts';
import { TableGame } from './game.ts';
import { aBet, anAnswer, aRound, aSession, aTicket, banker76 } from './testing.ts';
import type { TableAnswer, TableNews } from './wire.ts';

const { played } = vi.hoisted(() => ({ played: [] as string[] }));
vi.mock('../kit/sound.ts', () => ({
  play: (name: string) => played.push(name),
  setSound: () => {},
  wakeSound: () => {},
  followVisibility: () => {},
}));

const knocks = vi.hoisted(() => ({ count: 0 }));
vi.mock('../kit/haptics.ts', () => ({
  knock: () => (knocks.count += 1),
  setHaptics: () => {},
}));

let sent: unknown[];

beforeEach(async () => {
  vi.useFakeTimers({
    toFake: ['performance', 'setTimeout', 'clearTimeout', 'setInterval', 'requestAnimationFrame'],
  });
  localStorage.clear();
  played.length = 0;
  knocks.count = 0;
  sent = [];
  const parent = { postMessage: (message: unknown) => sent.push(message) };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  await speak('en');
  return () => vi.useRealTimers();
});

/** A line that says what the test says. */
function aLine() {
  let open = () => {};
  let event: (event: ServerEvent) => void = () => {};
  let end = () => {};
  const stream = vi.fn<Stream>((_, on) => {
    ({ open, event } = on);
    open();
    return new Promise((resolve) => {
      end = resolve;
    });
  });
  return {
    stream,
    say: (news: TableNews) => event({ event: 'table', data: JSON.stringify(news) }),
    fall: () => end(),
  };
}

async function sit(answer: Partial<TableAnswer> = {}, api: Partial<Api> = {}) {
  const line = aLine();
  const get = vi.fn((path: string) =>
    Promise.resolve(path === 'table' ? anAnswer(answer) : { list: [], next: null }),
  );
  const post = vi.fn();
  const all = { get: get as Api['get'], post, ...api };
  await new TableGame({ api: all, stream: line.stream }, aSession(), engine).start(document.body);
  return { ...line, get, post };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const one = (selector: string) => document.querySelector<HTMLElement>(selector)!;
const spot = (id: string) => one(`[data-spot=${id}]`);
const said = () => one('main > [role=status]').textContent;
const card = () => one('.phase-card');
const told = (type: string) =>
  sent.filter((message) => (message as { type: string }).type === type);

test('a stake is put, confirmed with its total, and stands with the name of its ticket', async () => {
  const post = vi.fn(() => Promise.resolve({ bet: aBet(), balance: 950_000 }));
  await sit({}, { post: post as Api['post'] });
  spot('banker').click();
  expect(one('.confirm').textContent).toBe('Confirm 50,000\u00A0₫');
  one('.confirm').click();
  one('.confirm').click();
  await pass(0);
  expect(post).toHaveBeenCalledExactlyOnceWith('table/bet', {
    betId: expect.stringMatching(/^[\da-f-]{36}$/),
    round: '39',
    spots: { banker: 50_000 },
  });
  expect(one('.hint').textContent).toBe('Recorded 50,000\u00A0₫ · ticket A7F2');
  expect(spot('banker').getAttribute('aria-label')).toContain('your stake 50,000');
  expect(told('busy')).toEqual([{ fairground: 1, type: 'busy', busy: true }]);
});

test('unconfirmed chips go back at the close; three ticks before it, one knock with it', async () => {
  const { post } = await sit();
  spot('tie').click();
  spot('player').click();
  await pass(18_500);
  expect(played.filter((name) => name === 'lockTick')).toHaveLength(3);
  expect(knocks.count).toBe(0);
  await pass(600);
  expect(knocks.count).toBe(1);
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
  'PP-10 (client) of a return of %d for 50000 (%s)',
  async (win, status, kind, loud, words) => {
    const { say } = await sit({ mine: [aBet()], balance: 950_000 });
    await pass(20_100);
    const round = aRound({ phase: 'dealing', result: banker76 });
    say({ now: 22_100, round, mine: [aBet({ status, win })], balance: 950_000 + win });
    // The cards have not shown it: neither has the balance.
    expect(one('.foot-value').textContent).toBe('950,000\u00A0₫');
    await pass(6000);
    expect(card().textContent).toContain('Banker wins 7–6');
    await pass(3000);
    expect(card().dataset.kind).toBe(kind);
    expect(played.some((name) => name.startsWith('win'))).toBe(loud);
    expect(one('.foot-value').textContent).toBe(`${(950_000 + win).toLocaleString('en')}\u00A0₫`);
    expect(card().textContent).toContain(words);
    expect(spot('banker').dataset.result).toBe('won');
    expect(told('round')).toEqual([
      { fairground: 1, type: 'round', roundId: '900', stake: 50_000, win },
    ]);
    expect(told('busy').at(-1)).toMatchObject({ busy: false });
    expect(said()).toContain('Banker wins 7–6');
    expect(localStorage.getItem('house.shown.live-001')).toBe('39');
  },
);

test('cards come one after the other, and are told as they are turned', async () => {
  const { say } = await sit();
  await pass(20_100);
  say({ now: 22_000, round: aRound({ phase: 'dealing', result: banker76 }) });
  await pass(300);
  expect(document.querySelectorAll('.playing-card')).toHaveLength(1);
  await pass(3500);
  expect(document.querySelectorAll('.playing-card[data-open=true]')).toHaveLength(4);
  expect(one('[data-side=banker] .hand-points').textContent).toBe('7');
});

test('who comes late sees what lies on the table, at once', async () => {
  await sit({ now: 33_000, round: aRound({ phase: 'result', result: banker76 }) });
  expect(document.querySelectorAll('.playing-card[data-open=true]')).toHaveLength(4);
  expect(card().textContent).toContain('Banker wins 7–6');
  expect(card().textContent).toContain('You had no stake in this round.');
});

test('a line that falls is told in amber, tried at 1, 2, 4, 8 s, and left after half a minute', async () => {
  const { stream, fall, get } = await sit({ mine: [aBet()] });
  const lost = vi.fn<Stream>(() => Promise.reject(new Unknown()));
  stream.mockImplementation(lost);
  fall();
  await pass(0);
  expect(card().dataset.kind).toBe('amber');
  expect(card().textContent).toContain('try 1');
  expect(card().textContent).toContain('Your stake of 50,000\u00A0₫ is recorded');
  await pass(1000);
  expect(card().textContent).toContain('try 2');
  await pass(2000 + 4000 + 8000);
  expect(lost).toHaveBeenCalledTimes(4);
  expect(one('.phase-leave').hidden).toBe(true);
  await pass(16_000);
  expect(one('.phase-leave').hidden).toBe(false);
  one('.phase-leave').click();
  expect(sent.at(-1)).toEqual({ fairground: 1, type: 'close' });
  expect(get.mock.calls.length).toBeGreaterThan(0);
});

test('PP-15 (resume) when the line stands again the table is asked, and nothing is staked again', async () => {
  const { stream, fall, get, post } = await sit({ mine: [aBet()] });
  const asked = get.mock.calls.length;
  stream.mockImplementationOnce(() => Promise.reject(new Unknown()));
  fall();
  await pass(1000);
  await pass(2000);
  expect(get.mock.calls.slice(asked).map(([path]) => path)).toContain('table');
  expect(card().hidden).toBe(true);
  expect(spot('banker').dataset.mine).toBe('staked');
  expect(post).not.toHaveBeenCalled();
});

test('a ticket whose answer is lost is asked for again by the same name', async () => {
  const post = vi
    .fn()
    .mockRejectedValueOnce(new Unknown())
    .mockResolvedValue({ bet: aBet(), balance: 950_000 });
  await sit({}, { post });
  spot('banker').click();
  one('.confirm').click();
  await pass(0);
  expect(card().textContent).toContain('Nothing is staked twice');
  await pass(1000);
  expect(card().hidden).toBe(true);
  expect(new Set(post.mock.calls.map(([, body]) => JSON.stringify(body))).size).toBe(1);
});

test.each([
  ['house.betting_closed', 'The betting has closed. This was not staked.'],
  ['house.below_minimum', 'That is less than this table takes.'],
  ['house.too_many_tickets', 'No more tickets in this round. The next one takes yours.'],
])('%s is said plainly', async (code, words) => {
  await sit({}, { post: vi.fn(() => Promise.reject(new Refusal(code))) });
  spot('banker').click();
  one('.confirm').click();
  await pass(0);
  expect(one('.hint').textContent).toBe(words);
  expect(said()).toBe(words);
});

test('PP-04 (client) play goes on after a reality check that refused a stake has been answered', async () => {
  const post = vi
    .fn()
    .mockRejectedValueOnce(new Refusal('house.limit_reached'))
    .mockResolvedValue({ bet: aBet(), balance: 950_000 });
  await sit({}, { post });
  spot('banker').click();
  one('.confirm').click();
  await pass(0);
  expect(one('[role=alert]').textContent).toContain('A limit has been reached');
  expect(told('busy').at(-1)).toMatchObject({ busy: false });
  tellGame({ type: 'pause', paused: true });
  expect(one('[role=alert]').textContent).toContain('A limit has been reached');
  tellGame({ type: 'pause', paused: false });
  expect(document.querySelector('[role=alert]')).toBeNull();
  spot('banker').click();
  one('.confirm').click();
  await pass(0);
  expect(post).toHaveBeenCalledTimes(2);
  expect(one('.hint').textContent).toContain('Recorded');
});

test('PP-05 (client) a table names the limit, says nothing twice, and plays on with a stake that fits', async () => {
  const post = vi
    .fn()
    .mockRejectedValueOnce(new Refusal('house.limit_reached'))
    .mockResolvedValue({ bet: aBet(), balance: 950_000 });
  const { say } = await sit({}, { post });
  spot('banker').click();
  spot('tie').click();
  one('.confirm').click();
  await pass(0);
  expect(told('limit')).toHaveLength(1);
  expect(one('.acts .act').textContent).toBe('My limits');
  tellGame({ type: 'room', limit: { kind: 'loss', period: 'week', amount: 90_000, left: 60_000 } });
  expect(cardSays()).toContain('in 7 days is 90,000\u00A0₫. Left: 60,000\u00A0₫.');
  expect(one('.hint').textContent).not.toContain('Not possible');
  say({ mine: [aBet({ status: 'refused' })] });
  expect(one('.hint').textContent).not.toContain('Recorded');
  expect(one('.acts .act').textContent).toBe('Lower the stake to 50,000\u00A0₫');
  one('.acts .act').click();
  expect(document.querySelector('[role=alert]')).toBeNull();
  one('.confirm').click();
  await pass(0);
  expect(post.mock.calls.at(-1)?.[1]).toMatchObject({ spots: { banker: 50_000 } });
});

test('PP-04 (client) no pause opens a table again that is closed to the player', async () => {
  await sit({}, { post: vi.fn(() => Promise.reject(new Refusal('house.excluded'))) });
  spot('banker').click();
  one('.confirm').click();
  await pass(0);
  for (const paused of [true, false]) tellGame({ type: 'pause', paused });
  expect(one('[role=alert]').textContent).toContain('Play is closed for you');
});

test('a limit and an ended session stop the game', async () => {
  await sit({}, { post: vi.fn(() => Promise.reject(new Refusal('house.session_expired'))) });
  spot('banker').click();
  one('.confirm').click();
  await pass(0);
  expect(one('[role=alert]').textContent).toContain('This session has ended');
  expect(sent.at(-1)).toEqual({ fairground: 1, type: 'expired' });
});

test('PP-15 (resume) a result missed while away is told as what it is, once', async () => {
  const list = [aTicket({ status: 'won', win: 97_500 })];
  const get = vi.fn((path: string) =>
    Promise.resolve(path === 'table' ? anAnswer() : { list, next: null }),
  );
  await sit({}, { get: get as Api['get'] });
  await pass(0);
  expect(one('.hint').textContent).toBe(
    'Round 38: Banker wins 7–6. Returned 97,500\u00A0₫. After the stake: +47,500\u00A0₫.',
  );
  expect(played.some((name) => name.startsWith('win'))).toBe(false);
  expect(localStorage.getItem('house.shown.live-001')).toBe('38');
});

test('PP-15 (resume) a missed result of more tickets than come at once is told whole', async () => {
  const list = Array.from({ length: 45 }, (_, i) =>
    aTicket({ id: String(900 - i), status: i % 2 ? 'lost' : 'won', win: i % 2 ? 0 : 97_500 }),
  );
  list.push(aTicket({ id: '1', round: '37', number: 37, status: 'won', win: 97_500 }));
  const get = vi.fn((path: string) => {
    if (path === 'table') return Promise.resolve(anAnswer());
    const from = Number(path.split('before=')[1] ?? 0);
    const next = from + 20 < list.length ? String(from + 20) : null;
    return Promise.resolve({ list: list.slice(from, from + 20), next });
  });
  await sit({}, { get: get as Api['get'] });
  await pass(0);
  // 45 stakes of 50,000, of which 23 brought 97,500.
  expect(one('.hint').textContent).toBe(
    'Round 38: Banker wins 7–6. Returned 2,242,500\u00A0₫. After the stake: -7,500\u00A0₫.',
  );
  expect(told('round')).toHaveLength(45);
});

test('PP-15 (resume) a round that was called off while away is told as that', async () => {
  const list = [aTicket({ status: 'refunded', result: null })];
  const get = vi.fn((path: string) =>
    Promise.resolve(path === 'table' ? anAnswer() : { list, next: null }),
  );
  await sit({}, { get: get as Api['get'] });
  await pass(0);
  expect(one('.hint').textContent).toBe(
    'Round 38 was called off. Your stake of 50,000\u00A0₫ came back.',
  );
});

test('FT-09 (client) an answer that was long on its way turns neither the round nor the clock back', async () => {
  let late: (answer: TableAnswer) => void = () => {};
  const { say, get, stream, fall } = await sit({ mine: [aBet()], balance: 950_000 });
  await pass(1000);
  get.mockImplementation(
    (path: string) =>
      new Promise((resolve) => {
        if (path === 'table') late = resolve;
        else resolve({ list: [], next: null });
      }),
  );
  // The line falls and stands again: the table is asked, and has said more before its answer is here.
  stream.mockImplementationOnce(() => Promise.reject(new Unknown()));
  fall();
  await pass(3000);
  const round = aRound({ phase: 'result', result: banker76 });
  say({ now: 33_000, round, mine: [aBet({ status: 'won', win: 97_500 })], balance: 1_047_500 });
  await pass(0);
  expect(card().textContent).toContain('Banker wins 7–6');
  late(anAnswer({ now: 6000, mine: [aBet()], balance: 950_000 }));
  await pass(0);
  expect(one('.table').dataset.phase).toBe('result');
  expect(card().textContent).toContain('Banker wins 7–6');
  expect(one('.foot-value').textContent).toBe('1,047,500\u00A0₫');
});

test('a client a minute behind catches up by asking', async () => {
  const { get } = await sit();
  get.mockImplementation((path: string) =>
    Promise.resolve(
      path === 'table'
        ? anAnswer({
            now: 95_000,
            round: aRound({
              id: '41',
              number: 41,
              opensAt: 90_000,
              closesAt: 110_000,
              dealAt: 111_000,
              resultAt: 120_000,
              endsAt: 124_000,
            }),
          })
        : { list: [], next: null },
    ),
  );
  await pass(40_000);
  expect(one('.table').dataset.phase).toBe('betting');
});

test('a round that was called off gives every stake back, and says so', async () => {
  const { say } = await sit({ mine: [aBet()] });
  say({
    now: 10_000,
    round: aRound({ phase: 'void' }),
    mine: [aBet({ status: 'refunded' })],
    balance: 1_000_000,
  });
  expect(card().textContent).toContain('Your stake of 50,000\u00A0₫ comes back.');
  expect(told('round')).toEqual([
    { fairground: 1, type: 'round', roundId: '900', stake: 50_000, win: 50_000 },
  ]);
});

test('the app hears of the game, with the range of its returns', async () => {
  await sit();
  expect(told('ready')).toEqual([
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

test('chips are chosen by arrows, and a key that is held down is one chip', async () => {
  await sit();
  const chosen = () => one('[role=radio][aria-checked=true]').getAttribute('aria-label');
  expect(chosen()).toBe('50,000\u00A0₫');
  one('.chips').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  expect(chosen()).toBe('100,000\u00A0₫');
  const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, cancelable: true });
  spot('banker').dispatchEvent(held);
  expect(held.defaultPrevented).toBe(true);
});

test('PP-17 (client) each round’s commitment is told when it opens, before anything lies on it', async () => {
  const { say } = await sit();
  const first = { commitment: 'c0'.repeat(32), clientSeed: 'baccarat-1', nonce: 39 };
  expect(told('promise')).toEqual([{ fairground: 1, type: 'promise', ...first }]);
  say({ now: 3000, round: aRound({ phase: 'betting' }) });
  expect(told('promise')).toHaveLength(1);
  say({ now: 40_000, round: aRound({ id: '40', number: 40, commitment: 'd1'.repeat(32) }) });
  expect(told('promise').at(-1)).toEqual({
    fairground: 1,
    type: 'promise',
    commitment: 'd1'.repeat(32),
    clientSeed: 'baccarat-1',
    nonce: 40,
  });
});
