import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
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

test('where there is none the games stand without news', async () => {
  const { calls, near } = show([]);
  near();
  await expect.poll(() => calls().length).toBeGreaterThan(0);
  expect(screen.queryByText('News')).toBeNull();
});

test('ER-02 news part: what could not be had is told, and a tap brings it', async () => {
  let down = true;
  const { near } = show(() => (down ? new Failing(503, 'system.unavailable') : [row(1)]));
  near();
  const retry = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  expect(screen.queryByText('News')).toBeNull();
  down = false;
  await userEvent.click(retry);
  expect(await screen.findByRole('link', { name: 'Told 1' })).toBeDefined();
});
