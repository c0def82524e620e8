// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { setLanguage } from '../kit/language.ts';
import { tableEngine } from './engines.ts';
import { noticeText, phaseLabel, rangeOf } from './texts.ts';

test('returns are a range, or one number when all are equal', () => {
  expect(rangeOf(['94.74', '98.94', '85.64'])).toBe('85.64-98.94');
  expect(rangeOf(['97.29', '97.29'])).toBe('97.29');
});

test('the notice of a full spot names its limit when known', async () => {
  await setLanguage('en');
  expect(noticeText('spotMaximum', '5,000,000\u00A0₫')).toBe(
    'This spot takes 5,000,000\u00A0₫ at most.',
  );
  expect(noticeText('spotMaximum')).toBe('That is more than this spot takes.');
});

test.each([
  ['baccarat', 'Dealing'],
  ['sicbo', 'The dice roll'],
  ['roulette', 'The wheel spins'],
])('%s has its own label for the dealing phase', async (name, label) => {
  await setLanguage('en');
  const { engine } = await tableEngine(name)!();
  expect(phaseLabel('dealing', engine)).toBe(label);
});
