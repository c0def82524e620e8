import { expect, test } from 'vitest';

import cascade from '../../../internal/game/house/cascade/version1.json';
import cascade2 from '../../../internal/game/house/cascade/version2.json';
import served from '../../../internal/game/house/slot/version1.json';
import second from '../../../internal/game/house/slot/version2.json';
import rounds from '../../../internal/game/house/testdata/rounds.json';
import ways from '../../../internal/game/house/ways/version1.json';
import type { Machine, Win } from './fairness-machine.ts';
import { evaluate, payout, playRound } from './fairness-slot.ts';
import { parseSeed, Stream } from './fairness.ts';

const machine = served as unknown as Machine;

/** Returns a machine with the same lines and pays that shows exactly these rows. */
function showing(...rows: string[][]): Machine {
  const strips = Array.from({ length: 5 }, (_, reel) => rows.map((row) => row[reel] ?? ''));
  return { ...machine, strips };
}

function show(...rows: string[][]) {
  const [step] = evaluate(showing(...rows), [0, 0, 0, 0, 0]).steps;
  if (!step) throw new Error('the round has no step');
  const lit = step.wins.flatMap(({ cells }) => cells.map((cell) => cell.join(':')));
  // The cells of a win are returned separately.
  const wins = step.wins.map(({ line, symbol, count, times }) => ({ line, symbol, count, times }));
  return { grid: step.grid, wins, lit };
}

const paid = (wins: readonly Omit<Win, 'ways' | 'cells'>[], stake: bigint) =>
  payout(
    machine,
    {
      spins: [
        {
          free: false,
          stops: [],
          awarded: 0,
          steps: [
            { grid: [], multiplier: 1, wins: wins.map((win) => ({ ...win, ways: 0, cells: [] })) },
          ],
        },
      ],
      freeRounds: 0,
    },
    stake,
  );

const plainRow = ['A', 'K', 'Q', 'J', '10'];
const noWinRows = [plainRow, plainRow, plainRow] as const;

test('a stop shows its symbol on top, and the strip wraps around', () => {
  const last = (machine.strips[0]?.length ?? 0) - 1;
  const [step] = evaluate(machine, [last, 0, 0, 0, 0]).steps;
  expect(step?.grid[0]).toEqual([
    machine.strips[0]?.[last],
    machine.strips[0]?.[0],
    machine.strips[0]?.[1],
  ]);
});

test('rows without a line win nothing', () => {
  expect(show(...noWinRows.map((row) => [...row])).wins).toEqual([]);
});

test('three of a kind from the left win on their line, and their cells light up', () => {
  const { wins, lit } = show(
    [...noWinRows[0]],
    ['dragon', 'dragon', 'dragon', 'J', 'A'],
    [...noWinRows[2]],
  );
  expect(wins).toContainEqual({ line: 1, symbol: 'dragon', count: 3, times: 25 });
  expect(lit).toEqual(expect.arrayContaining(['0:1', '1:1', '2:1']));
});

test('a wild replaces another symbol, but not a scatter', () => {
  const line = (row: string[]) =>
    show([...noWinRows[0]], row, [...noWinRows[2]]).wins.find((win) => win.line === 1);
  expect(line(['wild', 'lotus', 'wild', 'lotus', 'A'])).toMatchObject({
    symbol: 'lotus',
    count: 4,
  });
  expect(line(['lotus', 'wild', 'scatter', 'lotus', 'A'])).toBeUndefined();
});

test('wilds pay as wilds if that is worth more', () => {
  const { wins } = show(
    [...noWinRows[0]],
    ['wild', 'wild', 'wild', 'wild', '10'],
    [...noWinRows[2]],
  );
  expect(wins.find((win) => win.line === 1)).toEqual({
    line: 1,
    symbol: 'wild',
    count: 4,
    times: 200,
  });
});

test('scatters pay anywhere, as multiples of the whole stake', () => {
  const { wins } = show(
    ['scatter', 'K', 'Q', 'J', '10'],
    ['A', 'K', 'scatter', 'J', '10'],
    ['A', 'K', 'Q', 'J', 'scatter'],
  );
  expect(wins).toEqual([{ line: 0, symbol: 'scatter', count: 3, times: 4 }]);
  expect(paid(wins, 10_000n)).toBe(40_000n);
});

test('each win is rounded down to the smallest unit', () => {
  const wins = [{ line: 1, symbol: 'A', count: 3, times: 10 }];
  expect(paid(wins, 20n)).toBe(10n);
  expect(paid(wins, 21n)).toBe(10n);
  expect(paid([...wins, ...wins], 3n)).toBe(2n);
});

/** Plays a cascade at stop 0. `above` are the symbols that fall next, the nearest last. */
function cascadeSteps(columns: string[][], above: string[][]) {
  const strips = columns.map((column, reel) => [...column, ...(above[reel] ?? [])]);
  return evaluate({ ...(cascade2 as unknown as Machine), strips }, [0, 0, 0, 0, 0]).steps;
}

test('in a cascade wilds count with every symbol, and vanish with the winning symbols', () => {
  const steps = cascadeSteps(
    [
      ['K', 'K', 'Q', 'lotus'],
      ['wild', 'A', 'diamond', 'lotus'],
      ['K', 'Q', 'Q', 'envelope'],
      ['K', 'wild', 'Q', 'diamond'],
      ['dragon', 'Q', 'A', 'lantern'],
    ],
    [
      ['diamond', 'lantern', 'A'],
      ['envelope'],
      ['dragon', 'dragon', 'lotus'],
      ['lantern', 'A', 'envelope'],
      ['lotus'],
    ],
  );
  expect(steps[0]?.wins.map(({ symbol, count, times }) => [symbol, count, times])).toEqual([
    ['K', 6, 3],
    ['Q', 7, 2],
  ]);
  for (const { cells } of steps[0]?.wins ?? []) {
    const lit = cells.map((cell) => cell.join(':'));
    expect(lit).toEqual(expect.arrayContaining(['1:0', '3:1']));
  }
  expect(steps[1]?.grid).toEqual([
    ['diamond', 'lantern', 'A', 'lotus'],
    ['envelope', 'A', 'diamond', 'lotus'],
    ['dragon', 'dragon', 'lotus', 'envelope'],
    ['lantern', 'A', 'envelope', 'diamond'],
    ['lotus', 'dragon', 'A', 'lantern'],
  ]);
  expect(steps).toHaveLength(2);
});

test('in a cascade a wild without a win stays, and does not count as a scatter', () => {
  const [step, ...more] = cascadeSteps(
    [
      ['K', 'K', 'scatter', 'lotus'],
      ['wild', 'A', 'diamond', 'lotus'],
      ['K', 'Q', 'A', 'envelope'],
      ['dragon', 'wild', 'envelope', 'diamond'],
      ['dragon', 'scatter', 'A', 'lantern'],
    ],
    [],
  );
  expect([step?.wins, more]).toEqual([[], []]);
});

const machines = [served, second, ways, cascade, cascade2] as unknown as Machine[];

test.each(rounds)(
  'PP-17 $engine $version, round $nonce has the server’s result',
  async ({ engine, version, seed, clientSeed, nonce, stake, outcome }) => {
    const rules = machines.find((one) => one.name === engine && one.version === version)!;
    const stream = new Stream(parseSeed(seed)!, clientSeed, nonce);
    // Versions without free rounds omit the field.
    const played = await playRound({ ...rules, freeRounds: rules.freeRounds ?? null }, (below) =>
      stream.int(below),
    );
    expect(payout(rules, played, BigInt(stake))).toBe(BigInt(outcome.win));
    expect(played.freeRounds).toBe(outcome.freeRounds);
    expect(played.spins).toEqual(
      outcome.spins.map(({ free, stops, awarded, steps }) => ({
        free,
        stops,
        awarded,
        steps: steps.map(({ grid, wins, multiplier }) => ({
          grid,
          multiplier,
          wins: wins.map((win) => ({ ways: 0, ...win, amount: undefined })),
        })),
      })),
    );
  },
);
