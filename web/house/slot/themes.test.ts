// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { symbols } from '../../src/lib/slot-atlas.ts';
import { symbolName } from '../../src/lib/symbol-words.ts';
import { speak } from '../kit/language.ts';
import { themeOf, themes, type ThemeName } from './themes.ts';

const names = Object.keys(themes) as ThemeName[];

test('GL-07 (themes) there are many, and no two look the same', () => {
  expect(names.length).toBeGreaterThanOrEqual(6);
  const looks = names.map((name) => JSON.stringify([themes[name].hero, themes[name].backdrop]));
  expect(new Set(looks).size).toBe(names.length);
});

test.each(names)('%s: no two symbols share a picture or a name', async (name) => {
  await speak('en');
  const pictures = Object.values(themes[name].symbols);
  expect(new Set(pictures).size).toBe(pictures.length);
  const words = symbols.map((symbol) => symbolName(symbol, name));
  expect(new Set(words).size).toBe(words.length);
});

test('GL-07 (themes) each has names of its own for what it draws', async () => {
  await speak('en');
  const called = names.map((name) => symbolName('dragon', name));
  expect(new Set(called).size).toBe(names.length);
});

/** How bright a colour is, as contrast is reckoned. */
function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(names)('%s: the bar above it is read on its backdrop, in both themes', (name) => {
  const words = brightness('#f3f5ff');
  for (const backdrop of Object.values(themes[name].backdrop))
    expect((words + 0.05) / (brightness(backdrop) + 0.05)).toBeGreaterThanOrEqual(4.5);
});

test('an unknown theme wears the first', () => {
  expect(themeOf('ocean')).toBe('ocean');
  expect(themeOf('never drawn')).toBe('dragon');
  expect(themeOf('constructor')).toBe('dragon');
});
