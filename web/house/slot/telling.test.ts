// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { speak } from '../kit/language.ts';
import { resultBar } from './telling.ts';
import { aRound, aSession } from './testing.ts';
import { wordsFor } from './words.ts';

test('a round that was lost before the page was opened is told as that, not as one that has just cost something', async () => {
  await speak('en');
  const words = wordsFor(aSession());
  const told = (old: boolean) =>
    resultBar(aRound({ win: 0 }), words, { counted: 0, lit: null, old }).head;
  expect(told(true)).toBe('Last round: nothing won');
  expect(told(false)).toBe('Not won this time');
});
