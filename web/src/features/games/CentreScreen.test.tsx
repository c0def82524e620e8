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

test('RT-21, LB-13 the game centre leads to every category of the specification', async () => {
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

test('ER-02 game centre part: without the vendors it offers what it can, and the rest on a tap', async () => {
  let calls = 0;
  answerWith({
    ...answers,
    [vendors]: () => {
      calls += 1;
      return calls === 1 ? new Failing(503, 'system.unavailable') : answers[vendors];
    },
  });
  renderScreen(<CentreScreen />);
  expect(screen.getByRole('link', { name: 'Hot' })).toBeDefined();
  await userEvent.click(await screen.findByRole('button', { name: /Load failed/ }));
  expect(await screen.findByRole('link', { name: 'Fishing' })).toBeDefined();
});

test('RT-21 the slots centre has a row for each vendor of slots, asked for when it comes near', async () => {
  const near = watchNear();
  const asked = answerWith({
    ...answers,
    'GET /wps/relay/GCSGAME_gameList': ({ url }: Request) =>
      url.includes('vassalage=JL') ? gamePage([game(1)]) : new Failing(500, 'system.error'),
  });
  renderScreen(<SlotsScreen />);
  expect(await screen.findByRole('heading', { name: 'Jade Lantern' })).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Paper Garden' })).toBeDefined();
  expect(screen.queryByRole('heading', { name: 'Velvet Room' })).toBeNull();
  expect(asked.some(({ url }) => url.includes('gameList'))).toBe(false);
  near();
  expect(await screen.findByRole('link', { name: 'Game 1' })).toBeDefined();
  // One row that failed leaves the others alone.
  expect(await screen.findByRole('button', { name: /Load failed/ })).toBeDefined();
  expect(screen.getByRole('link', { name: 'More: Jade Lantern' }).getAttribute('href')).toBe(
    '/m/gameList?gameType=RNG&vassalage=JL',
  );
});

test('ER-02 slots centre part: without the vendors, and without the games of one, a tap brings them', async () => {
  const near = watchNear();
  const given: Record<string, unknown> = { ...answers };
  delete given[vendors];
  answerWith(given);
  renderScreen(<SlotsScreen />);
  const retry = () => screen.findAllByRole('button', { name: /Load failed, tap to retry/ });
  expect(screen.queryByRole('heading', { name: 'Jade Lantern' })).toBeNull();
  const [first] = await retry();
  expect(screen.getByText(/Network offline or unstable/)).toBeDefined();
  given[vendors] = answers[vendors];
  await userEvent.click(first!);
  expect(await screen.findByRole('heading', { name: 'Jade Lantern' })).toBeDefined();
  near();
  const [row] = await retry();
  given['GET /wps/relay/GCSGAME_gameList'] = gamePage([game(1)]);
  await userEvent.click(row!);
  expect(await screen.findByRole('link', { name: 'Game 1' })).toBeDefined();
});

test('LB-05 slots centre part: vendors of slots without any game leave no blank screen', async () => {
  const near = watchNear();
  const given: Record<string, unknown> = {
    ...answers,
    'GET /wps/relay/GCSGAME_gameList': gamePage([]),
  };
  answerWith(given);
  const { cache } = renderScreen(<SlotsScreen />);
  await screen.findByRole('heading', { name: 'Jade Lantern' });
  expect(screen.queryByText('No games here yet')).toBeNull();
  near();
  expect(await screen.findByText('No games here yet')).toBeDefined();
  expect(screen.queryByRole('heading', { name: 'Jade Lantern' })).toBeNull();
  given['GET /wps/relay/GCSGAME_gameList'] = ({ url }: Request) =>
    url.includes('vassalage=JL') ? gamePage([game(1)]) : gamePage([]);
  await cache.invalidateQueries();
  expect(await screen.findByRole('link', { name: 'Game 1' })).toBeDefined();
  expect(screen.queryByText('No games here yet')).toBeNull();
});

test('a pull loads the rows of the slots centre anew too', async () => {
  const near = watchNear();
  let name = 'Old name';
  answerWith({
    ...answers,
    'GET /wps/relay/GCSGAME_gameList': () => gamePage([game(1, { nodeName: name })]),
  });
  renderScreen(<SlotsScreen />);
  await screen.findByRole('heading', { name: 'Jade Lantern' });
  near();
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
  'vendors with %s for categories break no centre',
  async (gameTypes) => {
    answerWith({ ...answers, [vendors]: [{ vendorCode: 'JL', displayName: 'Jade', gameTypes }] });
    const { unmount } = renderScreen(<CentreScreen />);
    expect(await screen.findByRole('link', { name: 'Jade' })).toBeDefined();
    unmount();
    renderScreen(<SlotsScreen />);
    expect(await screen.findByText('No games here yet')).toBeDefined();
  },
);

/** Says that everything has come near the screen. */
function watchNear(): () => void {
  const told: IntersectionObserverCallback[] = [];
  Object.assign(window, {
    IntersectionObserver: class {
      constructor(callback: IntersectionObserverCallback) {
        told.push(callback);
      }
      observe() {}
      disconnect() {}
    },
  });
  const entry = { isIntersecting: true } as IntersectionObserverEntry;
  return () => {
    for (const callback of told) callback([entry], {} as IntersectionObserver);
  };
}
