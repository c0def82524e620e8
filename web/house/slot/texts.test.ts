// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { setLanguage } from '../kit/language.ts';
import { aSession } from './testing.ts';
import { createTexts, multiple } from './texts.ts';

test('a win is a multiple of the whole stake, as in the paytable', async () => {
  await setLanguage('en');
  const texts = createTexts(aSession());
  const win = { line: 3, ways: 0, symbol: 'A', count: 4, times: 80, amount: 40_000, cells: [] };
  expect(texts.win(win, 10_000)).toBe('Line 3: 4 × A, ×4 of 10,000\u00A0₫');
  expect(texts.win({ ...win, amount: 2500 }, 10_000)).toContain('×0.25 of 10,000');
  // A payout that was rounded down.
  expect(texts.win({ ...win, amount: 3333 }, 9999)).toBe('Line 3: 4 × A, 3,333\u00A0₫');
  expect([4, 0.25, 0.5, 1 / 3].map(multiple)).toEqual(['4', '0.25', '0.5', null]);
});
