import { expect, test } from 'vitest';

import { finalStep, scenesOf } from './scenes.ts';
import { aRound, aSpin, aStep } from './testing.ts';

test('a plain round has one scene', () => {
  const round = aRound();
  expect(scenesOf(round).map(({ kind }) => kind)).toEqual(['turn']);
});

test('falls follow their spin and show the amount won so far', () => {
  const steps = [aStep({ win: 5 }), aStep({ win: 7 }), aStep()];
  const scenes = scenesOf(aRound({ spins: [aSpin({ steps })] }));
  expect(scenes.map(({ kind, returnedSoFar }) => [kind, returnedSoFar])).toEqual([
    ['turn', 0],
    ['fall', 5],
    ['fall', 12],
  ]);
});

test('free rounds are announced and numbered, and their count grows with each award', () => {
  const spins = [
    aSpin({ awarded: 2 }),
    aSpin({ free: true, awarded: 1 }),
    aSpin({ free: true }),
    aSpin({ free: true }),
  ];
  const scenes = scenesOf(aRound({ spins, freeRounds: 3 }));
  expect(scenes.map(({ kind, free }) => [kind, free?.number, free?.of])).toEqual([
    ['turn', undefined, undefined],
    ['award', undefined, undefined],
    ['turn', 1, 2],
    ['award', 1, 3],
    ['turn', 2, 3],
    ['turn', 3, 3],
  ]);
});

test('every spin is shown in order', () => {
  const spins = Array.from({ length: 41 }, (_, i) => aSpin({ free: i > 0, stops: [i] }));
  const turns = scenesOf(aRound({ spins })).filter((scene) => scene.kind === 'turn');
  expect(turns.map(({ spin }) => spin.stops[0])).toEqual(spins.map((_, i) => i));
});

test('the final step is the last step of the last spin', () => {
  const step = aStep({ multiplier: 5 });
  const spin = aSpin({ free: true, steps: [aStep(), step] });
  expect(finalStep(aRound({ spins: [aSpin(), spin] }))).toEqual({ spin, step });
  expect(finalStep(aRound({ spins: [] }))).toBeNull();
});
