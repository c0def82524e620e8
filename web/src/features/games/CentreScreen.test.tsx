import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession } from '../../api/session.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { game, gamePage, homeAnswers, vendor } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import CentreScreen from './CentreScreen.tsx';
import SlotsScreen from './SlotsScreen.tsx';

const vendors = 'GET /wps/relay/GCSGAME_newGameVendor';
const every = ['LOTT', 'ELOTT', 'LIVE', 'RNG', 'FISH', 'SPORTS', 'ESPORTS', 'PVP', 'JL'];

const answers = {
  ...homeAnswers,
  [vendors]: [
    vendor('JL', 'Jade Lantern', every, 1),
    vendor('PG', 'Paper Garden', ['RNG'], 2),
    vendor('LUX', 'Velvet Room', ['LIVE'], 3),
  ],
};

beforeEach(() => {
  clearSession();
  history.replaceState(null, '', '/m/gameCenter');
});

test('RT-21, LB-13 in part: the game centre links to every category of the specification', async () => {
  answerWith(answers);
  renderScreen(<CentreScreen />);
  await screen.findByRole('link', { name: 'Fishing' });
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  for (const address of [
    '/m/gameList',
    '/m/game?category=LOTT',
    '/m/gameList?gameType=ELOTT',
    '/m/game?category=LIVE',
    '/m/slotsCenter',
    '/m/game?category=FISH',
    '/m/game?category=SPORTS',
    '/m/game?category=ESPORTS',
    '/m/game?category=PVP',
    '/m/game?category=HOT',
    '/m/liveStream',
    '/m/home',
    '/m/activity',
    '/m/game?category=FAV',
    '/m/game?category=JL',
    '/m/gameList?vassalage=PG',
  ]) {
    expect(links).toContain(address);
  }
});

test('ER-02 game centre part: when the vendors fail to load, the fixed categories show and a tap retries', async () => {
  let calls = 0;
  answerWith({
    ...answers,
    [vendors]: () => {
      calls += 1;
      return calls === 1 ? new Failing(503, 'system.unavailable') : answers[vendors];
    },
  });
  renderScreen(<CentreScreen />);
  expect(screen.getByRole('link', { name: 'Hot' })).toBeVisible();
  await userEvent.click(await screen.findByRole('button', { name: /Load failed/ }));
  expect(await screen.findByRole('link', { name: 'Fishing' })).toBeVisible();
});

test('RT-21 the slots centre has a row for each slots vendor, fetched near the viewport', async () => {
  const reachViewport = observeIntersections();
  const requests = answerWith({
    ...answers,
    'GET /wps/relay/GCSGAME_gameList': ({ url }: Request) =>
      url.includes('vassalage=JL') ? gamePage([game(1)]) : new Failing(500, 'system.error'),
  });
  renderScreen(<SlotsScreen />);
  expect(await screen.findByRole('heading', { name: 'Jade Lantern' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Paper Garden' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Velvet Room' })).toBeNull();
  expect(requests.some(({ url }) => url.includes('gameList'))).toBe(false);
  reachViewport();
  expect(await screen.findByRole('link', { name: 'Game 1' })).toBeVisible();
  // A failed row does not affect the others.
  expect(await screen.findByRole('button', { name: /Load failed/ })).toBeVisible();
  expect(screen.getByRole('link', { name: 'More: Jade Lantern' }).getAttribute('href')).toBe(
    '/m/gameList?gameType=RNG&vassalage=JL',
  );
});

test('ER-02 slots centre part: vendors or games that fail to load can be retried', async () => {
  const reachViewport = observeIntersections();
  const replies: Record<string, unknown> = { ...answers };
  delete replies[vendors];
  answerWith(replies);
  renderScreen(<SlotsScreen />);
  const retry = () => screen.findAllByRole('button', { name: /Load failed, tap to retry/ });
  expect(screen.queryByRole('heading', { name: 'Jade Lantern' })).toBeNull();
  const [first] = await retry();
  expect(screen.getByText(/Network offline or unstable/)).toBeVisible();
  replies[vendors] = answers[vendors];
  await userEvent.click(first!);
  expect(await screen.findByRole('heading', { name: 'Jade Lantern' })).toBeVisible();
  reachViewport();
  const [row] = await retry();
  replies['GET /wps/relay/GCSGAME_gameList'] = gamePage([game(1)]);
  await userEvent.click(row!);
  expect(await screen.findByRole('link', { name: 'Game 1' })).toBeVisible();
});

test('LB-05 slots centre part: slots vendors without games show an empty state', async () => {
  const reachViewport = observeIntersections();
  const replies: Record<string, unknown> = {
    ...answers,
    'GET /wps/relay/GCSGAME_gameList': gamePage([]),
  };
  answerWith(replies);
  const { cache } = renderScreen(<SlotsScreen />);
  await screen.findByRole('heading', { name: 'Jade Lantern' });
  expect(screen.queryByText('No games here yet')).toBeNull();
  reachViewport();
  expect(await screen.findByText('No games here yet')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Jade Lantern' })).toBeNull();
  replies['GET /wps/relay/GCSGAME_gameList'] = ({ url }: Request) =>
    url.includes('vassalage=JL') ? gamePage([game(1)]) : gamePage([]);
  await cache.invalidateQueries();
  expect(await screen.findByRole('link', { name: 'Game 1' })).toBeVisible();
  expect(screen.queryByText('No games here yet')).toBeNull();
});

test('pulling down reloads the rows of the slots centre', async () => {
  const reachViewport = observeIntersections();
  let name = 'Old name';
  answerWith({
    ...answers,
    'GET /wps/relay/GCSGAME_gameList': () => gamePage([game(1, { nodeName: name })]),
  });
  renderScreen(<SlotsScreen />);
  await screen.findByRole('heading', { name: 'Jade Lantern' });
  reachViewport();
  const links = (of: string) => screen.queryAllByRole('link', { name: of });
  await expect.poll(() => links('Old name')).toHaveLength(2);
  name = 'New name';
  const at = (clientY: number) => ({ touches: [{ clientX: 100, clientY }] });
  fireEvent.touchStart(document.body, at(100));
  fireEvent.touchMove(document.body, at(180));
  fireEvent.touchMove(document.body, at(300));
  fireEvent.touchEnd(document.body, { touches: [] });
  await expect.poll(() => links('New name')).toHaveLength(2);
  expect(links('Old name')).toEqual([]);
});

test.each([[undefined], [null]])(
  'vendors with %s as categories do not break the screens',
  async (gameTypes) => {
    answerWith({ ...answers, [vendors]: [{ vendorCode: 'JL', displayName: 'Jade', gameTypes }] });
    const { unmount } = renderScreen(<CentreScreen />);
    expect(await screen.findByRole('link', { name: 'Jade' })).toBeVisible();
    unmount();
    renderScreen(<SlotsScreen />);
    expect(await screen.findByText('No games here yet')).toBeVisible();
  },
);

/** Fakes IntersectionObserver. Returns a function that moves every element near the viewport. */
function observeIntersections(): () => void {
  const callbacks: IntersectionObserverCallback[] = [];
  Object.assign(window, {
    IntersectionObserver: class {
      constructor(callback: IntersectionObserverCallback) {
        callbacks.push(callback);
      }
      observe() {}
      disconnect() {}
    },
  });
  const entry = { isIntersecting: true } as IntersectionObserverEntry;
  return () => {
    for (const callback of callbacks) callback([entry], {} as IntersectionObserver);
  };
}
