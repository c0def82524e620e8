// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { symbols } from '../../src/lib/slot-atlas.ts';
import { symbolName } from '../../src/lib/symbol-words.ts';
import { setLanguage } from '../kit/language.ts';
import { themeOf, themes, type ThemeName } from './themes.ts';

const names = Object.keys(themes) as ThemeName[];

test('GL-07 (themes) there are at least six, all different', () => {
  expect(names.length).toBeGreaterThanOrEqual(6);
  const looks = names.map((name) => JSON.stringify([themes[name].hero, themes[name].backdrop]));
  expect(new Set(looks).size).toBe(names.length);
});

test.each(names)('%s: no two symbols share a picture or a name', async (name) => {
  await setLanguage('en');
  const pictures = Object.values(themes[name].symbols);
  expect(new Set(pictures).size).toBe(pictures.length);
  const symbolNames = symbols.map((symbol) => symbolName(symbol, name));
  expect(new Set(symbolNames).size).toBe(symbolNames.length);
});

test('GL-07 (themes) each has its own symbol names', async () => {
  await setLanguage('en');
  const dragonNames = names.map((name) => symbolName('dragon', name));
  expect(new Set(dragonNames).size).toBe(names.length);
});

/** Returns the relative luminance of a colour (WCAG). */
function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(names)('%s: text is readable on the backdrop in both themes', (name) => {
  const textBrightness = brightness('#f3f5ff');
  for (const backdrop of Object.values(themes[name].backdrop))
    expect((textBrightness + 0.05) / (brightness(backdrop) + 0.05)).toBeGreaterThanOrEqual(4.5);
});

test('an unknown theme falls back to the first', () => {
  expect(themeOf('ocean')).toBe('ocean');
  expect(themeOf('never drawn')).toBe('dragon');
  expect(themeOf('constructor')).toBe('dragon');
});
