// Plays for tests, as the server returns them.
import type { Pick, Play } from './wire.ts';

function playOf(playCode: string, pick: Partial<Pick>, other: Partial<Play> = {}): Play {
  return {
    playCode,
    name: playCode,
    group: '',
    pick: { kind: 'number', from: 0, to: 99, digits: 2, min: 1, max: 1, positions: 0, ...pick },
    stake: { unit: 1000, min: 1000, max: 10_000_000, maxLines: 1000 },
    prizes: 1,
    odds: '97.000',
    chance: '1/100',
    rtp: '0.9700',
    ...other,
  };
}

const sides = ['big', 'small', 'odd', 'even'];

export const plays = {
  lo2: playOf('lo2', {}, { prizes: 27, stake: { unit: 1000, min: 1000, max: 1e7, maxLines: 100 } }),
  lo3: playOf('lo3', { to: 999, digits: 3 }),
  xien2: playOf('xien2', { kind: 'set', min: 2, max: 2 }),
  pos: playOf('pos', { kind: 'positions', to: 9, digits: 1, min: 0, max: 10, positions: 5 }),
  last3: playOf('last3', { kind: 'positions', to: 9, digits: 1, min: 1, max: 10, positions: 5 }),
  group3: playOf('group3', { kind: 'pattern', to: 9, digits: 1, min: 3, max: 3 }),
  two: playOf('two', { kind: 'set', prefix: 'two-', from: 1, to: 6, digits: 1, min: 2, max: 2 }),
  carPos: playOf('pos', { kind: 'positions', from: 1, to: 10, positions: 10, min: 0, max: 10 }),
  top2: playOf('top2', { kind: 'set', from: 1, to: 10, min: 2, max: 2 }),
  carSide: playOf('pos-side', { kind: 'option', positions: 10, options: sides }),
  shape: playOf('shape', { kind: 'option', positions: 3, options: ['triple', 'pair'] }),
  side: playOf('side', { kind: 'option', options: sides }, { odds: '1.995' }),
  sum: playOf(
    'sum',
    { kind: 'option', options: ['sum-3', 'sum-4'] },
    {
      outcomes: [
        { when: 'sum-3', odds: '209.520', chance: '1/216', rtp: '0.9700' },
        { when: 'sum-4', odds: '69.840', chance: '1/72', rtp: '0.9700' },
      ],
    },
  ),
  pick10: playOf(
    'pick10',
    { kind: 'set', from: 1, to: 80, min: 10, max: 10 },
    { stake: { unit: 1000, min: 1000, max: 1e7, maxLines: 200 } },
  ),
};
{
  // `exactOptionalPropertyTypes`: a play with outcomes has no odds.
  const { sum } = plays;
  delete sum.odds;
  delete sum.chance;
  delete sum.rtp;
}
