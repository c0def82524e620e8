import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { startSession } from '../api/session.ts';
import MemberScreen from '../features/member/MemberScreen.tsx';
import { answerWith } from '../lib/testing/answers.ts';
import { homeAnswers } from '../lib/testing/fixtures.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { routes } from './routes.ts';

test('RT-06 the member centre links to every member screen', async () => {
  startSession({
    token: 'token-1',
    type: 1,
    userName: 'agent88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
  answerWith(homeAnswers);
  renderScreen(<MemberScreen />);
  await screen.findByRole('link', { name: 'Betting record' });
  const links = new Set(
    [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')),
  );
  const memberPaths = routes
    .flatMap(({ paths }) => paths)
    .filter((path) => path.startsWith('/m/member/') && path !== '/m/member/home');
  expect(memberPaths.filter((path) => !links.has(path))).toEqual([]);
  expect(memberPaths.length).toBeGreaterThan(10);
});
