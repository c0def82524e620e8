import { expect, test } from 'vitest';

import {
  initialState,
  canSpin,
  highestAllowedStake,
  type Event,
  reduce,
  type State,
} from './state.ts';
import { aRound, aSlot } from './testing.ts';

const ready = initialState({ ...aSlot(), balance: 100_000 });
const play = (state: State, ...events: Event[]): State => events.reduce(reduce, state);

test('a second tap during a round changes nothing', () => {
  const once = play(ready, { type: 'spin', id: 'a', at: 0 });
  expect(once).toMatchObject({ phase: 'spinning', spin: { id: 'a', stake: 10_000 } });
  expect(reduce(once, { type: 'spin', id: 'b', at: 5 })).toBe(once);
});

test('PP-10 (client) no round starts within 2.5 seconds of the one before', () => {
  const shown = play(
    ready,
    { type: 'spin', id: 'a', at: 1000 },
    { type: 'answered', round: aRound(), balance: 90_000 },
    { type: 'shown' },
  );
  expect(canSpin(shown, 3499)).toBe(false);
  expect(reduce(shown, { type: 'spin', id: 'b', at: 3499 })).toBe(shown);
  expect(canSpin(shown, 3500)).toBe(true);
});

test('a win is added to the balance when it is shown', () => {
  const round = aRound({ win: 30_000, net: 20_000 });
  const answered = play(
    ready,
    { type: 'spin', id: 'a', at: 0 },
    { type: 'answered', round, balance: 120_000 },
  );
  expect(answered).toMatchObject({ phase: 'spinning', balance: 90_000, shown: null });
  expect(reduce(answered, { type: 'shown' })).toMatchObject({
    phase: 'ready',
    balance: 120_000,
    shown: round,
  });
});

test('a stake above the balance is not sent', () => {
  const poor = initialState({ ...aSlot(), balance: 9999 });
  const tapped = reduce(poor, { type: 'spin', id: 'a', at: 0 });
  expect(tapped).toMatchObject({ phase: 'ready', spin: null, refusal: 'insufficient' });
  // Changing the stake clears the refusal.
  expect(reduce(tapped, { type: 'stake', step: -1 })).toMatchObject({ stake: 5000, refusal: null });
});

test.each([
  ['house.limit_reached', 'limit'],
  ['house.excluded', 'excluded'],
  ['house.session_expired', 'expired'],
])('%s stops play', (code, stop) => {
  const stopped = play(ready, { type: 'spin', id: 'a', at: 0 }, { type: 'refused', code });
  expect(stopped).toMatchObject({ phase: 'stopped', stop });
  expect(canSpin(stopped, 60_000)).toBe(false);
});

test.each([
  ['house.insufficient_funds', 'insufficient'],
  ['house.refunded', 'refunded'],
  ['house.set_aside', 'stuck'],
  ['house.game_closed', 'maintenance'],
  ['house.unavailable', 'unavailable'],
  ['house.anything', 'unavailable'],
])('after %s another round can start', (code, refusal) => {
  const refused = play(ready, { type: 'spin', id: 'a', at: 0 }, { type: 'refused', code });
  expect(refused).toMatchObject({ phase: 'ready', refusal, stop: null });
  expect(canSpin(refused, 2500)).toBe(true);
});

test('the stake changes only between rounds and within the offered stakes', () => {
  const up = reduce(ready, { type: 'stake', step: 1 });
  expect(up.stake).toBe(20_000);
  expect(reduce(up, { type: 'stake', step: 1 })).toBe(up);
  const turning = reduce(ready, { type: 'spin', id: 'a', at: 0 });
  expect(reduce(turning, { type: 'stake', step: 1 })).toBe(turning);
  expect(initialState({ ...aSlot({ stake: 7 }), balance: 1 }).stake).toBe(5000);
});

test('a pause lets the round end and no other start', () => {
  const paused = play(
    ready,
    { type: 'spin', id: 'a', at: 0 },
    { type: 'paused', paused: true },
    { type: 'answered', round: aRound(), balance: 90_000 },
    { type: 'shown' },
  );
  expect(paused).toMatchObject({ phase: 'ready', balance: 90_000 });
  expect(canSpin(paused, 9000)).toBe(false);
  expect(canSpin(reduce(paused, { type: 'paused', paused: false }), 9000)).toBe(true);
});

test('PP-04 (client) play continues after the reality check that refused a stake', () => {
  const spin = { type: 'spin', id: 'a', at: 0 } as const;
  const check = [
    { type: 'paused', paused: true },
    { type: 'paused', paused: false },
  ] as const;
  const stopped = play(ready, spin, { type: 'refused', code: 'house.limit_reached' });
  expect(stopped).toMatchObject({ phase: 'stopped', stop: 'limit' });
  expect(play(stopped, check[0])).toMatchObject({ phase: 'stopped', stop: 'limit' });
  expect(play(stopped, ...check)).toMatchObject({ phase: 'ready', stop: null });
  const closed = play(ready, spin, { type: 'refused', code: 'house.excluded' });
  expect(play(closed, ...check)).toMatchObject({ phase: 'stopped', stop: 'excluded' });
});

test('failed attempts are counted from the first', () => {
  const lost = play(
    ready,
    { type: 'spin', id: 'a', at: 0 },
    { type: 'failed', at: 100 },
    { type: 'failed', at: 1200 },
  );
  expect(lost.trouble).toEqual({ attempt: 2, since: 100 });
  expect(reduce(lost, { type: 'answered', round: aRound(), balance: 1 }).trouble).toBeNull();
});

test('a repeated response is ignored', () => {
  const answered = play(
    ready,
    { type: 'spin', id: 'a', at: 0 },
    { type: 'answered', round: aRound(), balance: 90_000 },
  );
  expect(reduce(answered, { type: 'answered', round: aRound({ id: 'x' }), balance: 1 })).toBe(
    answered,
  );
});

const overLimit = { type: 'refused', code: 'house.limit_reached' } as const;
const remainingLimit = (left: number) =>
  ({ type: 'limitKnown', limit: { kind: 'stake', period: 'day', amount: 25_000, left } }) as const;

test('PP-05 (client) after a limit play continues with the highest stake that fits', () => {
  const stopped = play(ready, { type: 'spin', id: 'a', at: 0 }, overLimit, remainingLimit(5900));
  expect(highestAllowedStake(stopped)).toBe(5000);
  const lower = reduce(stopped, { type: 'lowerStake' });
  expect(lower).toMatchObject({ phase: 'ready', stop: null, limit: null, stake: 5000 });
  expect(canSpin(lower, 2500)).toBe(true);
});

test('PP-05 (client) no stake is offered when none fits the limit', () => {
  const stopped = play(ready, { type: 'spin', id: 'a', at: 0 }, overLimit, remainingLimit(4999));
  expect(highestAllowedStake(stopped)).toBeNull();
});

test('PP-05 (client) a limit that allows the stake is not named', () => {
  const spun = [{ type: 'spin', id: 'a', at: 0 }, overLimit] as const;
  expect(play(ready, ...spun)).toMatchObject({ limit: null, isLimitKnown: false });
  expect(play(ready, ...spun, remainingLimit(10_000))).toMatchObject({
    limit: null,
    isLimitKnown: true,
  });
  expect(play(ready, ...spun, remainingLimit(9999)).limit).not.toBeNull();
  expect(play(ready, remainingLimit(0))).toBe(ready);
});

test('PP-05 (client) the last result stays when the next stake is refused', () => {
  const shown = play(
    ready,
    { type: 'spin', id: 'a', at: 0 },
    { type: 'answered', round: aRound({ win: 4000 }), balance: 94_000 },
    { type: 'shown' },
  );
  const refused = play(shown, { type: 'spin', id: 'b', at: 3000 }, overLimit);
  expect(refused.shown).toBe(shown.shown);
});
