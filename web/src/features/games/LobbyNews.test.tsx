import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { LobbyNews } from './LobbyNews.tsx';

const call = 'GET /wps/relay/GLS2_lobbyNews';

/** Shows the block, and gives what brings it near the screen. */
function show(answer: unknown) {
  const told: IntersectionObserverCallback[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        told.push(callback);
      }
      observe() {}
      disconnect() {}
    },
  );
  const asked = answerWith({ ...homeAnswers, [call]: answer });
  renderScreen(<LobbyNews />);
  const calls = () => asked.filter(({ url }) => url.includes('lobbyNews'));
  const near = () => {
    const entry = { isIntersecting: true } as IntersectionObserverEntry;
    act(() => told.forEach((callback) => callback([entry], {} as IntersectionObserver)));
  };
  return { calls, near };
}

const row = (n: number, url = '') => ({ id: String(n), title: `Told ${n}`, url, type: 'PL' });

test('CA-14 the lobby asks for its news when somebody comes near, and tells the three newest', async () => {
  const { calls, near } = show([row(4, '/m/activity'), row(3), {}, row(2), row(1)]);
  expect(calls()).toHaveLength(0);
  near();
  const news = within(await screen.findByRole('region', { name: 'News' }));
  const links = within(news.getByRole('list')).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Told 4', '/m/activity'],
    ['Told 3', '/m/banner/3'],
    ['Told 2', '/m/banner/2'],
  ]);
  expect(news.getByRole('link', { name: 'More' }).getAttribute('href')).toBe('/m/notice');
  expect(Object.fromEntries(new URL(calls()[0]!.url).searchParams)).toEqual({
    platform: 'M',
    merchantCode: 'fairground',
  });
});

test.each([
  ['there is none', []],
  ['none can be had', new Failing(500, 'system.error')],
])('where %s the games stand without news', async (_, answer) => {
  const { calls, near } = show(answer);
  near();
  await expect.poll(() => calls().length).toBeGreaterThan(0);
  expect(screen.queryByText('News')).toBeNull();
});
