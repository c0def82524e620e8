import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import { followedDraws, toggleFollowed } from '../api/followed-draws.ts';
import { lotteryResultKeys } from '../api/lottery.ts';
import { answerWith, sentTo } from '../lib/testing/answers.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { ToastViewport } from '../ui/Toast.tsx';
import { LazyDrawNotices } from './LazyDrawNotices.tsx';

beforeEach(() => localStorage.clear());

const now = Date.now();
const game = (last: { numero: string; winNo: string }) => ({
  gameId: '1201',
  gameName: 'Game 1201',
  type: 'k3',
  closeTime: now + 36_000,
  drawTime: now + 41_000,
  serverTime: now,
  last,
});

test('a followed draw of a game that is not offered any more is forgotten', async () => {
  answerWith({ 'GET /lgw/games': () => Response.json([]) });
  renderScreen(<LazyDrawNotices />);
  act(() => toggleFollowed({ gameId: '1201', numero: '20261118-0871' }));
  await expect.poll(() => followedDraws()).toEqual([]);
});

test('a followed draw is announced on any screen, also when the event of its settlement reloads the games', async () => {
  const games = (numero: string) => () => Response.json([game({ numero, winNo: '1,2,3' })]);
  let requests = answerWith({ 'GET /lgw/games': games('20261118-0870') });
  const { cache } = renderScreen(
    <>
      <LazyDrawNotices />
      <ToastViewport />
    </>,
  );
  expect(sentTo(requests, '/lgw/games')).toHaveLength(0);
  act(() => toggleFollowed({ gameId: '1201', numero: '20261118-0871' }));
  await expect.poll(() => sentTo(requests, '/lgw/games').length).toBe(1);
  await expect.poll(() => cache.isFetching()).toBe(0);
  requests = answerWith({ 'GET /lgw/games': games('20261118-0871') });
  // The queries that the event lottery.settled reloads.
  await Promise.all(lotteryResultKeys.map((queryKey) => cache.invalidateQueries({ queryKey })));
  expect(await screen.findByText('Game 1201, draw 0871: 1,2,3')).toBeVisible();
});
