import { expect, test } from 'vitest';

import { matches, splitMatches } from './match.ts';

const marked = (name: string, typed: string) =>
  splitMatches(name, typed)
    .map(({ text, found }) => (found ? `[${text}]` : text))
    .join('');

test.each([
  ['Rồng Vàng Hạ Long', 'rong vang', true],
  ['Rồng Vàng Hạ Long', 'VÀNG rồng', true],
  ['Rồng Vàng Hạ Long', 'ha lo', true],
  ['Rồng Vàng Hạ Long', 'ong', false],
  ['Đua Đỏ', 'do dua', true],
  ['Golden Bay Dragon', '', true],
  ['Golden Bay Dragon', '  ', true],
  ['Golden Bay Dragon', 'bay x', false],
])('matching %s with %j: %s', (name, typed, found) => {
  expect(matches(name, typed)).toBe(found);
});

test.each([
  ['Rồng Vàng', 'rồng', '[Rồng] Vàng'],
  ['Rồng Vàng', 'RONG va', '[Rồng] [Và]ng'],
  ['Trứng Rồng', 'rong', 'Trứng [Rồng]'],
  ['Đua Đỏ', 'd', '[Đ]ua [Đ]ỏ'],
  ['Frog & Friends', 'fr', '[Fr]og & [Fr]iends'],
  // Decomposed: a letter followed by its accents.
  ['Ro\u0302\u0300ng', 'ron', '[Ro\u0302\u0300n]g'],
  ['Mahjong 🀄 Gold', 'gold', 'Mahjong 🀄 [Gold]'],
  ['سنہری اژدہا', 'اژ', 'سنہری [اژ]دہا'],
  ['Game', 'x', 'Game'],
  ['Game', '', 'Game'],
])('marking %s with %j: %s', (name, typed, pieces) => {
  expect(marked(name, typed)).toBe(pieces);
});
