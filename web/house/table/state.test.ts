import { expect, test } from 'vitest';

import {
  begin,
  fitting,
  type Event,
  next,
  putOf,
  type State,
  stakedOf,
  unstakedOf,
} from './state.ts';
import { aBet, anAnswer, aRound, banker76 } from './testing.ts';

const after = (state: State, ...events: Event[]): State =>
  events.reduce((now, event) => next(now, event), state);

const put = (spot: string, open = true): Event => ({ type: 'put', spot, open });
const confirm: Event = { type: 'confirm', id: 'one', open: true };

test('chips are put, taken back one by one, and cleared', () => {
  const state = after(
    begin(anAnswer()),
    put('banker'),
    { type: 'chip', amount: 10_000 },
    put('tie'),
  );
  expect(putOf(state)).toEqual({ banker: 50_000, tie: 10_000 });
  expect(putOf(after(state, { type: 'undo' }))).toEqual({ banker: 50_000 });
  expect(putOf(after(state, { type: 'clear' }))).toEqual({});
});

test('what is not confirmed goes back at the close, and is no stake', () => {
  const state = after(begin(anAnswer()), put('banker'), { type: 'closed' });
  expect([putOf(state), stakedOf(state), state.notice]).toEqual([{}, {}, 'returned']);
});

test.each([
  ['over the spot', anAnswer(), ['tie', 'tie'], 'spotMaximum'],
  ['over the balance', anAnswer({ balance: 60_000 }), ['banker', 'banker'], 'insufficient'],
])('a chip %s is not put', (_, answer, spots, notice) => {
  const state = after(begin(answer), ...spots.map((spot) => put(spot)));
  expect(state.put).toHaveLength(1);
  expect(state.notice).toBe(notice);
  // Whoever put too much is told how much would not have been.
  expect(state.most).toBe(notice === 'spotMaximum' ? 60_000 : null);
});

test('a chip after the close is not put', () => {
  const state = after(begin(anAnswer()), put('banker', false));
  expect([state.put, state.notice]).toEqual([[], 'closed']);
});

test('the limit of a spot counts what is confirmed already', () => {
  const mine = [aBet({ spots: { banker: 290_000 }, total: 290_000 })];
  expect(after(begin(anAnswer({ mine })), put('banker')).notice).toBe('spotMaximum');
});

test('a ticket whose answer is late lies there once, as soon as the table shows it', () => {
  const sent = after(begin(anAnswer()), put('banker'), confirm);
  expect(unstakedOf(sent)).toEqual({ banker: 50_000 });
  const mine = [aBet({ betId: sent.sending!.id })];
  const shown = after(sent, { type: 'news', news: { now: 3000, round: aRound(), mine } });
  expect([unstakedOf(shown), stakedOf(shown)]).toEqual([{}, { banker: 50_000 }]);
});

test('a ticket is confirmed once, and lies on the table when the server says so', () => {
  const sent = after(begin(anAnswer()), put('banker'), confirm);
  expect(sent.sending).toEqual({
    id: 'one',
    round: '39',
    spots: { banker: 50_000 },
    total: 50_000,
    steps: [{ banker: 50_000 }],
  });
  expect(after(sent, { ...confirm, id: 'two' }).sending?.id).toBe('one');
  const placed = after(sent, { type: 'placed', answer: { bet: aBet(), balance: 950_000 } });
  expect([placed.sending, stakedOf(placed), placed.told.balance]).toEqual([
    null,
    { banker: 50_000 },
    950_000,
  ]);
});

test('the same stake again is put, not placed: it waits to be confirmed', () => {
  const first = after(begin(anAnswer()), put('banker'), confirm, {
    type: 'placed',
    answer: { bet: aBet(), balance: 950_000 },
  });
  const later = after(first, {
    type: 'news',
    news: { round: aRound({ id: '40', number: 40 }), mine: [] },
  });
  expect([stakedOf(later), putOf(later)]).toEqual([{}, {}]);
  const again = after(later, { type: 'repeat', open: true });
  expect([putOf(again), again.sending]).toEqual([{ banker: 50_000 }, null]);
});

test('a refused ticket stakes nothing, and its chips lie there again while the round takes them', () => {
  const sent = after(begin(anAnswer()), put('banker'), confirm);
  const refused = after(sent, { type: 'refused', code: 'house.spot_limit' });
  expect([refused.notice, putOf(refused)]).toEqual(['spotMaximum', { banker: 50_000 }]);
  const late = after(sent, { type: 'refused', code: 'house.betting_closed' });
  expect([late.notice, putOf(late)]).toEqual(['closed', {}]);
  expect(after(sent, { type: 'refused', code: 'house.limit_reached' }).stop).toBe('limit');
  const looked = after(sent, { type: 'barred', code: 'rate.limited' });
  expect([looked.sending, looked.put, looked.notice]).toEqual([sent.sending, [], null]);
  expect(after(sent, { type: 'barred', code: 'house.session_expired' }).stop).toBe('expired');
  expect(after(sent, { type: 'barred', code: 'house.replaced' }).stop).toBe('elsewhere');
});

test('a result is not given away by balance, ticket or road before it has been shown', () => {
  const mine = [aBet()];
  const dealt = aRound({ phase: 'dealing', result: banker76 });
  const known = after(begin(anAnswer({ mine, balance: 950_000 })), {
    type: 'news',
    news: { round: dealt, mine: [aBet({ status: 'won', win: 97_500 })], balance: 1_047_500 },
  });
  expect(known.told.balance).toBe(950_000);
  expect(known.told.mine[0]?.status).toBe('placed');
  expect(known.told.history).toEqual([]);
  const shown = after(known, { type: 'shown', round: '39' });
  expect(shown.told.balance).toBe(1_047_500);
  expect(shown.told.mine[0]?.status).toBe('won');
  expect(shown.told.history).toEqual([{ number: 39, result: banker76 }]);
});

test('while the app pauses the game nothing is put or confirmed', () => {
  const paused = after(begin(anAnswer()), put('banker'), { type: 'paused', paused: true });
  expect(after(paused, put('tie')).put).toHaveLength(1);
  expect(after(paused, confirm).sending).toBeNull();
});

test('PP-05 (client) of the chips that a limit refused, as many lie on as it lets pass', () => {
  const limit = (left: number) =>
    ({ type: 'room', limit: { kind: 'loss', period: 'week', amount: 90_000, left } }) as const;
  const stopped = after(begin(anAnswer()), put('banker'), put('tie'), put('player'), confirm, {
    type: 'refused',
    code: 'house.limit_reached',
  });
  expect([stopped.notice, putOf(stopped)]).toEqual([
    null,
    { banker: 50_000, tie: 50_000, player: 50_000 },
  ]);
  const two = after(stopped, limit(149_999), { type: 'lower' });
  expect([putOf(two), two.stop, two.chip]).toEqual([{ banker: 50_000, tie: 50_000 }, null, 50_000]);
  const none = after(stopped, limit(20_000), { type: 'lower' });
  expect([putOf(none), none.stop, none.chip]).toEqual([{}, null, 20_000]);
  expect(fitting(after(stopped, limit(9999)))).toBeNull();
  // A limit that they pass is not what refused them.
  expect(after(stopped, limit(150_000)).limit).toBeNull();
});
