import { expect, test } from 'vitest';

import {
  initialState,
  chipsWithinLimit,
  type Event,
  reduce,
  unconfirmedOf,
  type State,
  stakedOf,
  notYetStaked,
} from './state.ts';
import { aBet, aTableResponse, aRound, banker76 } from './testing.ts';

const after = (state: State, ...events: Event[]): State =>
  events.reduce((now, event) => reduce(now, event), state);

const put = (spot: string, open = true): Event => ({ type: 'placeChip', spot, open });
const confirm: Event = { type: 'confirm', id: 'one', open: true };

test('chips are placed, undone one by one, and cleared', () => {
  const state = after(
    initialState(aTableResponse()),
    put('banker'),
    { type: 'chip', amount: 10_000 },
    put('tie'),
  );
  expect(unconfirmedOf(state)).toEqual({ banker: 50_000, tie: 10_000 });
  expect(unconfirmedOf(after(state, { type: 'undo' }))).toEqual({ banker: 50_000 });
  expect(unconfirmedOf(after(state, { type: 'clear' }))).toEqual({});
});

test('unconfirmed chips go back at the close and are not staked', () => {
  const state = after(initialState(aTableResponse()), put('banker'), { type: 'closed' });
  expect([unconfirmedOf(state), stakedOf(state), state.notice]).toEqual([{}, {}, 'returned']);
});

test.each([
  ['over the spot', aTableResponse(), ['tie', 'tie'], 'spotMaximum'],
  ['over the balance', aTableResponse({ balance: 60_000 }), ['banker', 'banker'], 'insufficient'],
])('a chip %s is refused', (_, answer, spots, notice) => {
  const state = after(initialState(answer), ...spots.map((spot) => put(spot)));
  expect(state.unconfirmed).toHaveLength(1);
  expect(state.notice).toBe(notice);
  // The notice names the limit of the spot.
  expect(state.maximum).toBe(notice === 'spotMaximum' ? 60_000 : null);
});

test('a chip after the close is refused', () => {
  const state = after(initialState(aTableResponse()), put('banker', false));
  expect([state.unconfirmed, state.notice]).toEqual([[], 'closed']);
});

test('the limit of a spot includes confirmed stakes', () => {
  const mine = [aBet({ spots: { banker: 290_000 }, total: 290_000 })];
  expect(after(initialState(aTableResponse({ mine })), put('banker')).notice).toBe('spotMaximum');
});

test('a ticket in flight is counted once when the table already lists it', () => {
  const sent = after(initialState(aTableResponse()), put('banker'), confirm);
  expect(notYetStaked(sent)).toEqual({ banker: 50_000 });
  const mine = [aBet({ betId: sent.sending!.id })];
  const shown = after(sent, { type: 'update', update: { now: 3000, round: aRound(), mine } });
  expect([notYetStaked(shown), stakedOf(shown)]).toEqual([{}, { banker: 50_000 }]);
});

test('a ticket is confirmed once and counts when the server accepts it', () => {
  const sent = after(initialState(aTableResponse()), put('banker'), confirm);
  expect(sent.sending).toEqual({
    id: 'one',
    round: '39',
    spots: { banker: 50_000 },
    total: 50_000,
    steps: [{ banker: 50_000 }],
  });
  expect(after(sent, { ...confirm, id: 'two' }).sending?.id).toBe('one');
  const placed = after(sent, { type: 'placed', response: { bet: aBet(), balance: 950_000 } });
  expect([placed.sending, stakedOf(placed), placed.visible.balance]).toEqual([
    null,
    { banker: 50_000 },
    950_000,
  ]);
});

test('repeating a stake places chips that still need to be confirmed', () => {
  const first = after(initialState(aTableResponse()), put('banker'), confirm, {
    type: 'placed',
    response: { bet: aBet(), balance: 950_000 },
  });
  const later = after(first, {
    type: 'update',
    update: { round: aRound({ id: '40', number: 40 }), mine: [] },
  });
  expect([stakedOf(later), unconfirmedOf(later)]).toEqual([{}, {}]);
  const again = after(later, { type: 'repeat', open: true });
  expect([unconfirmedOf(again), again.sending]).toEqual([{ banker: 50_000 }, null]);
});

test('a refused ticket stakes nothing, and its chips return while the round accepts them', () => {
  const sent = after(initialState(aTableResponse()), put('banker'), confirm);
  const refused = after(sent, { type: 'refused', code: 'house.spot_limit' });
  expect([refused.notice, unconfirmedOf(refused)]).toEqual(['spotMaximum', { banker: 50_000 }]);
  const late = after(sent, { type: 'refused', code: 'house.betting_closed' });
  expect([late.notice, unconfirmedOf(late)]).toEqual(['closed', {}]);
  expect(after(sent, { type: 'refused', code: 'house.limit_reached' }).stop).toBe('limit');
  const looked = after(sent, { type: 'readRefused', code: 'rate.limited' });
  expect([looked.sending, looked.unconfirmed, looked.notice]).toEqual([sent.sending, [], null]);
  expect(after(sent, { type: 'readRefused', code: 'house.session_expired' }).stop).toBe('expired');
  expect(after(sent, { type: 'readRefused', code: 'house.replaced' }).stop).toBe('replaced');
});

test('balance, tickets and roads do not reveal a result before it is shown', () => {
  const mine = [aBet()];
  const dealt = aRound({ phase: 'dealing', result: banker76 });
  const latest = after(initialState(aTableResponse({ mine, balance: 950_000 })), {
    type: 'update',
    update: { round: dealt, mine: [aBet({ status: 'won', win: 97_500 })], balance: 1_047_500 },
  });
  expect(latest.visible.balance).toBe(950_000);
  expect(latest.visible.mine[0]?.status).toBe('placed');
  expect(latest.visible.history).toEqual([]);
  const shown = after(latest, { type: 'shown', round: '39' });
  expect(shown.visible.balance).toBe(1_047_500);
  expect(shown.visible.mine[0]?.status).toBe('won');
  expect(shown.visible.history).toEqual([{ number: 39, result: banker76 }]);
});

test('during a pause nothing is placed or confirmed', () => {
  const paused = after(initialState(aTableResponse()), put('banker'), {
    type: 'paused',
    paused: true,
  });
  expect(after(paused, put('tie')).unconfirmed).toHaveLength(1);
  expect(after(paused, confirm).sending).toBeNull();
});

test('PP-05 (client) after a limit, the chips that fit stay on the table', () => {
  const limit = (left: number) =>
    ({
      type: 'limitKnown',
      limit: { kind: 'loss', period: 'week', amount: 90_000, left },
    }) as const;
  const stopped = after(
    initialState(aTableResponse()),
    put('banker'),
    put('tie'),
    put('player'),
    confirm,
    {
      type: 'refused',
      code: 'house.limit_reached',
    },
  );
  expect([stopped.notice, unconfirmedOf(stopped)]).toEqual([
    null,
    { banker: 50_000, tie: 50_000, player: 50_000 },
  ]);
  const two = after(stopped, limit(149_999), { type: 'lowerStake' });
  expect([unconfirmedOf(two), two.stop, two.chip]).toEqual([
    { banker: 50_000, tie: 50_000 },
    null,
    50_000,
  ]);
  const none = after(stopped, limit(20_000), { type: 'lowerStake' });
  expect([unconfirmedOf(none), none.stop, none.chip]).toEqual([{}, null, 20_000]);
  expect(chipsWithinLimit(after(stopped, limit(9999)))).toBeNull();
  // A limit that allows the chips did not refuse them.
  expect(after(stopped, limit(150_000)).limit).toBeNull();
});

test('the chip and stake of an earlier visit return while the table takes them', () => {
  const again = (spots: Record<string, number>) =>
    initialState(aTableResponse(), { chip: 20_000, spots });
  expect(again({ banker: 50_000 })).toMatchObject({ chip: 20_000, lastStake: { banker: 50_000 } });
  expect(again({}).lastStake).toBeNull();
  for (const [spot, amount] of [
    ['zero', 50_000],
    ['banker', 5000],
    ['banker', 15_000],
    ['tie', 70_000],
  ] as const)
    expect(again({ [spot]: amount }).lastStake, `${amount} on ${spot}`).toBeNull();
});
