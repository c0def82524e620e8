// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { setLanguage } from '../kit/language.ts';
import { resultBar } from './result-text.ts';
import { aRound, aSession } from './testing.ts';
import { createTexts } from './texts.ts';

test('a loss from before the page opened is shown as the last round', async () => {
  await setLanguage('en');
  const texts = createTexts(aSession());
  const heading = (isOld: boolean) =>
    resultBar(aRound({ win: 0 }), texts, { counted: 0, lit: null, isOld }).head;
  expect(heading(true)).toBe('Last round: nothing won');
  expect(heading(false)).toBe('Not won this time');
});
