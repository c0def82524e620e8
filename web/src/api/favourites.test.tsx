import { useLayoutEffect } from 'react';
import { expect, test } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { useStars } from './favourites.ts';
import { clearSession, startSession } from './session.ts';

const noFeedback = { waiting: () => 0, saved: () => {}, failed: () => {} };

/** Logs the member out between render and effects. */
function LoggedOutDuringRender() {
  useStars(noFeedback);
  useLayoutEffect(clearSession, []);
  return null;
}

test('a logout during the render sends no request for stars', async () => {
  startSession({
    token: 't',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
  const requests = answerWith({});
  renderScreen(<LoggedOutDuringRender />);
  await new Promise((resolve) => setTimeout(resolve));
  expect(requests.map(({ url }) => url)).toEqual([]);
});
