import { useLayoutEffect } from 'react';
import { expect, test } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { useStars } from './favourites.ts';
import { clearSession, startSession } from './session.ts';

const quiet = { waiting: () => 0, saved: () => {}, failed: () => {} };

/** Drawn for a member, who has left before the effects of it ran. */
function LeftMeanwhile() {
  useStars(quiet);
  useLayoutEffect(clearSession, []);
  return null;
}

test('a list that comes in just as the member leaves asks for no stars', async () => {
  startSession({
    token: 't',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
  const asked = answerWith({});
  renderScreen(<LeftMeanwhile />);
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked.map(({ url }) => url)).toEqual([]);
});
