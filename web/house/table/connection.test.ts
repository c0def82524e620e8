// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import { type Api, OutcomeUnknownError } from '../kit/api.ts';
import type { Stream } from '../kit/stream.ts';
import { advance, card, one, openTable, setUpGame, spot } from './game-testing.ts';
import { aBet, aRound, aTableResponse, aTicket, banker76 } from './testing.ts';
import type { TableResponse } from './wire.ts';

const { played } = vi.hoisted(() => ({ played: [] as string[] }));
vi.mock('../kit/sound.ts', () => ({
  playSound: (name: string) => played.push(name),
  setSoundEnabled: () => {},
  unlockSound: () => {},
  muteWhileHidden: () => {},
}));

let sent: unknown[];

beforeEach(async () => {
  played.length = 0;
  sent = await setUpGame();
  return () => vi.useRealTimers();
});

const messages = (type: string) =>
  sent.filter((message) => (message as { type: string }).type === type);

test('a lost stream shows an amber card, retries after 1, 2, 4 and 8 s, and offers leaving after 30 s', async () => {
  const { stream, end, get } = await openTable({ mine: [aBet()] });
  const lost = vi.fn<Stream>(() => Promise.reject(new OutcomeUnknownError()));
  stream.mockImplementation(lost);
  end();
  await advance(0);
  expect(card().dataset.kind).toBe('amber');
  expect(card().textContent).toContain('try 1');
  expect(card().textContent).toContain('Your stake of 50,000\u00A0₫ is recorded');
  await advance(1000);
  expect(card().textContent).toContain('try 2');
  await advance(2000 + 4000 + 8000);
  expect(lost).toHaveBeenCalledTimes(4);
  expect(one('.phase-leave').hidden).toBe(true);
  await advance(16_000);
  expect(one('.phase-leave').hidden).toBe(false);
  one('.phase-leave').click();
  expect(sent.at(-1)).toEqual({ fairground: 1, type: 'close' });
  expect(get.mock.calls.length).toBeGreaterThan(0);
});

test('PP-15 (resume) when the stream reconnects the table is fetched and nothing is staked again', async () => {
  const { stream, end, get, post } = await openTable({ mine: [aBet()] });
  const requestsBefore = get.mock.calls.length;
  stream.mockImplementationOnce(() => Promise.reject(new OutcomeUnknownError()));
  end();
  await advance(1000);
  await advance(2000);
  expect(get.mock.calls.slice(requestsBefore).map(([path]) => path)).toContain('table');
  expect(card().hidden).toBe(true);
  expect(spot('banker').dataset.mine).toBe('staked');
  expect(post).not.toHaveBeenCalled();
});

test('a ticket without a reply is repeated with the same id', async () => {
  const post = vi
    .fn()
    .mockRejectedValueOnce(new OutcomeUnknownError())
    .mockResolvedValue({ bet: aBet(), balance: 950_000 });
  await openTable({}, { post });
  spot('banker').click();
  one('.confirm').click();
  await advance(0);
  expect(card().textContent).toContain('Nothing is staked twice');
  await advance(1000);
  expect(card().hidden).toBe(true);
  expect(new Set(post.mock.calls.map(([, body]) => JSON.stringify(body))).size).toBe(1);
});

test('PP-15 (resume) a missed result is shown once, as an earlier round', async () => {
  const list = [aTicket({ status: 'won', win: 97_500 })];
  const get = vi.fn((path: string) =>
    Promise.resolve(path === 'table' ? aTableResponse() : { list, next: null }),
  );
  await openTable({}, { get: get as Api['get'] });
  await advance(0);
  expect(one('.hint').textContent).toBe(
    'Round 38: Banker wins 7–6. Returned 97,500\u00A0₫. After the stake: +47,500\u00A0₫.',
  );
  expect(played.some((name) => name.startsWith('win'))).toBe(false);
  expect(localStorage.getItem('house.shown.live-001')).toBe('38');
});

test('PP-15 (resume) a missed result with more than one page of tickets is complete', async () => {
  const list = Array.from({ length: 45 }, (_, i) =>
    aTicket({ id: String(900 - i), status: i % 2 ? 'lost' : 'won', win: i % 2 ? 0 : 97_500 }),
  );
  list.push(aTicket({ id: '1', round: '37', number: 37, status: 'won', win: 97_500 }));
  const get = vi.fn((path: string) => {
    if (path === 'table') return Promise.resolve(aTableResponse());
    const from = Number(path.split('before=')[1] ?? 0);
    const next = from + 20 < list.length ? String(from + 20) : null;
    return Promise.resolve({ list: list.slice(from, from + 20), next });
  });
  await openTable({}, { get: get as Api['get'] });
  await advance(0);
  // 45 stakes of 50,000; 23 of them won 97,500.
  expect(one('.hint').textContent).toBe(
    'Round 38: Banker wins 7–6. Returned 2,242,500\u00A0₫. After the stake: -7,500\u00A0₫.',
  );
  expect(messages('round')).toHaveLength(45);
});

test('PP-15 (resume) a round that was called off while the player was away is shown as called off', async () => {
  const list = [aTicket({ status: 'refunded', result: null })];
  const get = vi.fn((path: string) =>
    Promise.resolve(path === 'table' ? aTableResponse() : { list, next: null }),
  );
  await openTable({}, { get: get as Api['get'] });
  await advance(0);
  expect(one('.hint').textContent).toBe(
    'Round 38 was called off. Your stake of 50,000\u00A0₫ came back.',
  );
});

test('FT-09 (client) a delayed response changes neither the round nor the clock', async () => {
  let late: (answer: TableResponse) => void = () => {};
  const { send, get, stream, end } = await openTable({ mine: [aBet()], balance: 950_000 });
  await advance(1000);
  get.mockImplementation(
    (path: string) =>
      new Promise((resolve) => {
        if (path === 'table') late = resolve;
        else resolve({ list: [], next: null });
      }),
  );
  // The stream reconnects, and an update arrives before the table’s response.
  stream.mockImplementationOnce(() => Promise.reject(new OutcomeUnknownError()));
  end();
  await advance(3000);
  const round = aRound({ phase: 'result', result: banker76 });
  send({ now: 33_000, round, mine: [aBet({ status: 'won', win: 97_500 })], balance: 1_047_500 });
  await advance(0);
  expect(card().textContent).toContain('Banker wins 7–6');
  late(aTableResponse({ now: 6000, mine: [aBet()], balance: 950_000 }));
  await advance(0);
  expect(one('.table').dataset.phase).toBe('result');
  expect(card().textContent).toContain('Banker wins 7–6');
  expect(one('.foot-value').textContent).toBe('1,047,500\u00A0₫');
});

test('a client that is a minute behind catches up with one fetch', async () => {
  const { get } = await openTable();
  get.mockImplementation((path: string) =>
    Promise.resolve(
      path === 'table'
        ? aTableResponse({
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
  await advance(40_000);
  expect(one('.table').dataset.phase).toBe('betting');
});
