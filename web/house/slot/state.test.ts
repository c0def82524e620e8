import { expect, test } from 'vitest';

import { begin, canSpin, fitting, type Event, next, type State } from './state.ts';
import { aRound, aSlot } from './testing.ts';

const ready = begin({ ...aSlot(), balance: 100_000 });
const play = (state: State, ...events: Event[]): State => events.reduce(next, state);

test('a second tap while a round runs changes nothing', () => {
  const once = play(ready, { type: 'spin', id: 'a', at: 0 });
  expect(once).toMatchObject({ phase: 'spinning', spin: { id: 'a', stake: 10_000 } });
  expect(next(once, { type: 'spin', id: 'b', at: 5 })).toBe(once);
});

test('PP-10 (client) no round begins within 2.5 seconds of the one before', () => {
  const shown = play(
    ready,
    { type: 'spin', id: 'a', at: 1000 },
    { type: 'answered', round: aRound(), balance: 90_000 },
    { type: 'shown' },
  );
  expect(canSpin(shown, 3499)).toBe(false);
  expect(next(shown, { type: 'spin', id: 'b', at: 3499 })).toBe(shown);
  expect(canSpin(shown, 3500)).toBe(true);
});

test('what was won is in the balance only once it has been shown', () => {
  const round = aRound({ win: 30_000, net: 20_000 });
  const answered = play(
    ready,
    { type: 'spin', id: 'a', at: 0 },
    { type: 'answered', round, balance: 120_000 },
  );
  expect(answered).toMatchObject({ phase: 'spinning', balance: 90_000, shown: null });
  expect(next(answered, { type: 'shown' })).toMatchObject({
    phase: 'ready',
    balance: 120_000,
    shown: round,
  });
});

test('a stake above the balance is not sent', () => {
  const poor = begin({ ...aSlot(), balance: 9999 });
  const tapped = next(poor, { type: 'spin', id: 'a', at: 0 });
  expect(tapped).toMatchObject({ phase: 'ready', spin: null, refusal: 'insufficient' });
  // A smaller one is told nothing of it.
  expect(next(tapped, { type: 'stake', step: -1 })).toMatchObject({ stake: 5000, refusal: null });
});

test.each([
  ['house.limit_reached', 'limit'],
  ['house.excluded', 'excluded'],
  ['house.session_expired', 'expired'],
])('%s ends play', (code, stop) => {
  const stopped = play(ready, { type: 'spin', id: 'a', at: 0 }, { type: 'refused', code });
  expect(stopped).toMatchObject({ phase: 'stopped', stop });
  expect(canSpin(stopped, 60_000)).toBe(false);
});

test.each([
  ['house.insufficient_funds', 'insufficient'],
  ['house.refunded', 'refunded'],
  ['house.set_aside', 'aside'],
  ['house.game_closed', 'maintenance'],
  ['house.unavailable', 'unavailable'],
  ['house.anything', 'unavailable'],
])('after %s another round can be tried', (code, refusal) => {
  const refused = play(ready, { type: 'spin', id: 'a', at: 0 }, { type: 'refused', code });
  expect(refused).toMatchObject({ phase: 'ready', refusal, stop: null });
  expect(canSpin(refused, 2500)).toBe(true);
});

test('the stake changes between rounds only, within what the server offers', () => {
  const up = next(ready, { type: 'stake', step: 1 });
  expect(up.stake).toBe(20_000);
  expect(next(up, { type: 'stake', step: 1 })).toBe(up);
  const turning = next(ready, { type: 'spin', id: 'a', at: 0 });
  expect(next(turning, { type: 'stake', step: 1 })).toBe(turning);
  expect(begin({ ...aSlot({ stake: 7 }), balance: 1 }).stake).toBe(5000);
});

test('a pause lets the round end and no other begin', () => {
  const paused = play(
    ready,
    { type: 'spin', id: 'a', at: 0 },
    { type: 'paused', paused: true },
    { type: 'answered', round: aRound(), balance: 90_000 },
    { type: 'shown' },
  );
  expect(paused).toMatchObject({ phase: 'ready', balance: 90_000 });
  expect(canSpin(paused, 9000)).toBe(false);
  expect(canSpin(next(paused, { type: 'paused', paused: false }), 9000)).toBe(true);
});

test('PP-04 (client) play goes on after a reality check that refused a stake has been answered', () => {
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

test('vain tries are counted from the first', () => {
  const lost = play(
    ready,
    { type: 'spin', id: 'a', at: 0 },
    { type: 'failed', at: 100 },
    { type: 'failed', at: 1200 },
  );
  expect(lost.trouble).toEqual({ attempt: 2, since: 100 });
  expect(next(lost, { type: 'answered', round: aRound(), balance: 1 }).trouble).toBeNull();
});

test('an answer that comes twice is taken once', () => {
  const answered = play(
    ready,
    { type: 'spin', id: 'a', at: 0 },
    { type: 'answered', round: aRound(), balance: 90_000 },
  );
  expect(next(answered, { type: 'answered', round: aRound({ id: 'x' }), balance: 1 })).toBe(
    answered,
  );
});

const overLimit = { type: 'refused', code: 'house.limit_reached' } as const;
const room = (left: number) =>
  ({ type: 'room', limit: { kind: 'stake', period: 'day', amount: 25_000, left } }) as const;

test('PP-05 (client) a limit lets play go on with the highest stake that it lets pass', () => {
  const stopped = play(ready, { type: 'spin', id: 'a', at: 0 }, overLimit, room(5900));
  expect(fitting(stopped)).toBe(5000);
  const lower = next(stopped, { type: 'lower' });
  expect(lower).toMatchObject({ phase: 'ready', stop: null, limit: null, stake: 5000 });
  expect(canSpin(lower, 2500)).toBe(true);
});

test('PP-05 (client) where no stake passes the limit none is offered', () => {
  const stopped = play(ready, { type: 'spin', id: 'a', at: 0 }, overLimit, room(4999));
  expect(fitting(stopped)).toBeNull();
});

test('PP-05 (client) a limit that the stake passes is not named as what refused it', () => {
  const spun = [{ type: 'spin', id: 'a', at: 0 }, overLimit] as const;
  expect(play(ready, ...spun)).toMatchObject({ limit: null, heard: false });
  expect(play(ready, ...spun, room(10_000))).toMatchObject({ limit: null, heard: true });
  expect(play(ready, ...spun, room(9999)).limit).not.toBeNull();
  expect(play(ready, room(0))).toBe(ready);
});

test('PP-05 (client) the last result stays where the next stake was refused', () => {
  const shown = play(
    ready,
    { type: 'spin', id: 'a', at: 0 },
    { type: 'answered', round: aRound({ win: 4000 }), balance: 94_000 },
    { type: 'shown' },
  );
  const refused = play(shown, { type: 'spin', id: 'b', at: 3000 }, overLimit);
  expect(refused.shown).toBe(shown.shown);
});
