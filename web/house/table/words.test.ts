// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { speak } from '../kit/language.ts';
import { engine as baccarat } from './baccarat.ts';
import { engine as dragontiger } from './dragontiger.ts';
import { engine as roulette } from './roulette.ts';
import { engine as sicbo } from './sicbo.ts';
import { noticeWords, phaseWord, rangeOf } from './words.ts';

test('what a table gives back is a range, and one number where all spots give the same', () => {
  expect(rangeOf(['94.74', '98.94', '85.64'])).toBe('85.64-98.94');
  expect(rangeOf(['97.29', '97.29'])).toBe('97.29');
});

test('a spot that is too full says how much it takes, where that is known', async () => {
  await speak('en');
  expect(noticeWords('spotMaximum', '5,000,000\u00A0₫')).toBe(
    'This spot takes 5,000,000\u00A0₫ at most.',
  );
  expect(noticeWords('spotMaximum')).toBe('That is more than this spot takes.');
});

test.each([
  [baccarat, 'Dealing'],
  [dragontiger, 'Dealing'],
  [sicbo, 'The dice roll'],
  [roulette, 'The wheel spins'],
])('cards are dealt, dice roll and a wheel spins', async (engine, words) => {
  await speak('en');
  expect(phaseWord('dealing', engine)).toBe(words);
});
