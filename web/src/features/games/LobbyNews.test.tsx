import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { LobbyNews } from './LobbyNews.tsx';

const call = 'GET /wps/relay/GLS2_lobbyNews';

/** Renders the block with a fake IntersectionObserver. */
function show(answer: unknown) {
  const callbacks: IntersectionObserverCallback[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        callbacks.push(callback);
      }
      observe() {}
      disconnect() {}
    },
  );
  const requests = answerWith({ ...homeAnswers, [call]: answer });
  renderScreen(<LobbyNews />);
  const calls = () => requests.filter(({ url }) => url.includes('lobbyNews'));
  const reachViewport = () => {
    const entry = { isIntersecting: true } as IntersectionObserverEntry;
    act(() => callbacks.forEach((callback) => callback([entry], {} as IntersectionObserver)));
  };
  return { calls, reachViewport };
}

const row = (n: number, url = '') => ({ id: String(n), title: `News ${n}`, url, type: 'PL' });

test('CA-14 the lobby fetches its news near the viewport and shows the newest three', async () => {
  const { calls, reachViewport } = show([row(4, '/m/activity'), row(3), {}, row(2), row(1)]);
  expect(calls()).toHaveLength(0);
  reachViewport();
  const news = within(await screen.findByRole('region', { name: 'News' }));
  const links = within(news.getByRole('list')).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['News 4', '/m/activity'],
    ['News 3', '/m/banner/3'],
    ['News 2', '/m/banner/2'],
  ]);
  expect(news.getByRole('link', { name: 'More' }).getAttribute('href')).toBe('/m/notice');
  expect(Object.fromEntries(new URL(calls()[0]!.url).searchParams)).toEqual({
    platform: 'M',
    merchantCode: 'fairground',
  });
});

test('without news the block is empty', async () => {
  const { calls, reachViewport } = show([]);
  reachViewport();
  await expect.poll(() => calls().length).toBeGreaterThan(0);
  expect(screen.queryByText('News')).toBeNull();
});

test('ER-02 news part: news that fails to load can be retried', async () => {
  let down = true;
  const { reachViewport } = show(() => (down ? new Failing(503, 'system.unavailable') : [row(1)]));
  reachViewport();
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  expect(screen.queryByText('News')).toBeNull();
  down = false;
  await userEvent.click(retry);
  expect(await screen.findByRole('link', { name: 'News 1' })).toBeVisible();
});
