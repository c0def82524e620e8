import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { chooseLanguage } from '../../i18n/runtime.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { game, gamePage, homeAnswers, status, vendor } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { toast, useToastStore } from '../../ui/toastStore.ts';
import LobbyScreen from './LobbyScreen.tsx';

const list = 'GET /wps/relay/GCSGAME_gameList';
const hot = 'GET /wps/relay/GCSGAME_hotGamesV2';
const vendors = 'GET /wps/relay/GCSGAME_newGameVendor';
const favourites = 'GET /wps/relay/MCSFE_getFavoriteGames';
const recents = 'GET /wps/relay/GCS_recentGame';

const answers = {
  ...homeAnswers,
  [vendors]: [
    vendor('PG', 'Paper Garden', ['RNG'], 1),
    vendor('JL', 'Jade Lantern', ['RNG', 'JL'], 2),
    vendor('IMES', 'Iron Mesa', ['ESPORTS'], 3),
    vendor('ELOTT', 'Flash Draws', ['ELOTT'], 4),
    vendor('SV3', 'Silver Vale', ['SPORTS', 'ESPORTS'], 5),
  ],
  [hot]: { list: [game(1), game(2)] },
  [list]: gamePage([game(11), game(12)], 1, 1, 2),
  [favourites]: { content: [game(21)], pageNum: 1, totalPages: 1 },
  [recents]: { list: [game(31)] },
};

const logIn = () =>
  startSession({
    token: 't',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });

function open(address: string, replies: Record<string, unknown> = answers) {
  history.replaceState(null, '', address);
  const requests = answerWith(replies);
  renderScreen(<LobbyScreen />);
  return requests;
}

const queriesOf = (requests: Request[], call: string) =>
  requests
    .filter(({ url }) => url.includes(call))
    .map(({ url }) => Object.fromEntries(new URL(url).searchParams));

const rail = () => within(screen.getByRole('navigation', { name: 'Game categories' }));

beforeEach(async () => {
  clearSession();
  toast.hide();
  window.scrollTo = vi.fn();
  await chooseLanguage('vi');
});

afterEach(() => void vi.useRealTimers());

test('RT-19, LB-01 the lobby’s menu lists the categories, and esports by provider', async () => {
  open('/m/game');
  await screen.findByText('Game 1');
  const named = (await rail().findAllByRole('link')).map((link) => link.textContent);
  expect(named).toEqual(
    'Hot,Favourites,JL,Slots,Sports,Fast lottery,Iron Mesa,Silver Vale,All'.split(','),
  );
  const esports = within(rail().getByRole('group', { name: 'Esports' }));
  expect(esports.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/m/game?category=ESPORTS&vassalage=IMES',
    '/m/game?category=ESPORTS&vassalage=SV3',
  ]);
});

test('LB-02 in part: HOT shows the hot list, slots a list by vendor, esports a third-party list', async () => {
  const requests = open('/m/game');
  await screen.findByText('Game 1');
  expect(queriesOf(requests, 'gameList')).toEqual([]);
  expect(screen.queryByRole('navigation', { name: 'Game providers' })).toBeNull();

  await userEvent.click(rail().getByRole('link', { name: 'Slots' }));
  await screen.findByText('Game 11');
  const chips = within(screen.getByRole('navigation', { name: 'Game providers' }));
  await userEvent.click(chips.getByRole('link', { name: 'Jade Lantern' }));
  expect(location.search).toBe('?category=RNG&vassalage=JL');

  await userEvent.click(rail().getByRole('link', { name: 'Iron Mesa' }));
  expect(await screen.findByRole('heading', { name: 'Iron Mesa' })).toBeVisible();
  expect(screen.queryByRole('navigation', { name: 'Game providers' })).toBeNull();
  await expect.poll(() => queriesOf(requests, 'gameList').length).toBe(3);
  expect(queriesOf(requests, 'gameList').map((each) => [each.gameType, each.vassalage])).toEqual([
    ['RNG', undefined],
    ['RNG', 'JL'],
    ['ESPORTS', 'IMES'],
  ]);
});

test('LB-02 ELOTT part: fast lottery launches the lottery', async () => {
  open('/m/game');
  const link = await rail().findByRole('link', { name: 'Fast lottery' });
  expect(link.getAttribute('href')).toBe('/m/launchGame?code=lobby');
  await userEvent.click(link);
  expect(location.pathname + location.search).toBe('/m/launchGame?code=lobby');
});

test.each([
  ['LIVESTREAM', '/m/liveStream'],
  ['HOME', '/m/home'],
  ['PROMO', '/m/activity'],
  ['ELOTT', '/m/launchGame'],
])('LB-13 in part: %s leads to %s', async (category, path) => {
  open(`/m/game?category=${category}`);
  await expect.poll(() => location.pathname).toBe(path);
});

test('LB-03 choosing a category scrolls to the top and reloads page 1', async () => {
  const requests = open('/m/game?category=RNG');
  await screen.findByText('Game 11');
  await userEvent.click(rail().getByRole('link', { name: 'Sports' }));
  expect(window.scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'instant' });
  await expect.poll(() => queriesOf(requests, 'gameList').length).toBe(2);
  // A cached category.
  await userEvent.click(rail().getByRole('link', { name: 'Slots' }));
  await expect.poll(() => queriesOf(requests, 'gameList').length).toBe(3);
  expect(queriesOf(requests, 'gameList').map(({ pageNo, pageSize }) => [pageNo, pageSize])).toEqual(
    Array.from({ length: 3 }, () => ['1', '21']),
  );
  // The current category.
  await userEvent.click(rail().getByRole('link', { name: 'Slots' }));
  await expect.poll(() => queriesOf(requests, 'gameList').length).toBe(4);
  expect(rail().getByRole('link', { name: 'Slots' }).getAttribute('aria-current')).toBe('true');
});

test('LB-07 HOT reloads when the language changes, and keeps its games meanwhile', async () => {
  const requests = open('/m/game');
  await screen.findByText('Game 1');
  await act(() => chooseLanguage('pt'));
  await expect
    .poll(() => queriesOf(requests, 'hotGamesV2').map(({ language }) => language))
    .toEqual(['VI', 'PT']);
  expect(screen.getByText('Game 1')).toBeVisible();
});

test('ER-02 recents part: recent games that fail to load can be retried', async () => {
  logIn();
  const half: Record<string, unknown> = { ...answers, [recents]: new Failing(400, 'system.error') };
  open('/m/game', half);
  const strip = within(await screen.findByRole('region', { name: 'Played lately' }));
  const retry = await strip.findByRole('button', { name: /Load failed, tap to retry/ });
  half[recents] = answers[recents];
  await userEvent.click(retry);
  expect(await strip.findByText('Game 31')).toBeVisible();
});

test('LB-08 lobby part: favourites load in pages of 100', async () => {
  logIn();
  const requests = open('/m/game?category=FAV');
  await screen.findByText('Game 21');
  expect(queriesOf(requests, 'getFavoriteGames').every(({ pageSize }) => pageSize === '100')).toBe(
    true,
  );
});

test('LB-10 lobby part: a visitor sees for 2 s that a login is needed, with a link there and back', async () => {
  open('/m/game?category=FAV');
  const login = await screen.findByRole('link', { name: 'Login' });
  expect(new URL((login as HTMLAnchorElement).href).searchParams.get('return')).toBe(
    '/m/game?category=FAV',
  );
  expect(useToastStore.getState().current).toMatchObject({ kind: 'plain' });
});

test('LB-12 in part: recent games are listed; a started game is recorded, by the launch if there is one', async () => {
  logIn();
  const requests = open('/m/game', {
    ...answers,
    [hot]: { list: [game(1), game(2, { vassalage: 'TCG_SEA' })] },
    'POST /wps/relay/GCS_recentGame': {},
  });
  const strip = within(await screen.findByRole('region', { name: 'Played lately' }));
  expect(await strip.findByRole('link', { name: 'Game 31' })).toBeVisible();
  await userEvent.click(await screen.findByRole('link', { name: 'Game 1' }));
  expect(location.pathname).toBe('/m/launchGame');
  await userEvent.click(await screen.findByRole('link', { name: 'Game 2' }));
  expect(location.pathname).toBe('/m/lottery');
  const sent = requests.filter(
    ({ method, url }) => method === 'POST' && url.includes('recentGame'),
  );
  expect(await Promise.all(sent.map((one) => one.json()))).toEqual([{ nodeId: '1002' }]);
});

test('recent games reserve space only for members who have played on this device', async () => {
  const waiting = { ...answers, [recents]: new Promise(() => {}) };
  logIn();
  localStorage.setItem('played', 'another');
  open('/m/game', waiting);
  await screen.findByText('Game 1');
  expect(screen.queryByRole('region', { name: 'Played lately' })).toBeNull();
  cleanup();
  open('/m/game');
  await screen.findByText('Game 31');
  cleanup();
  open('/m/game', waiting);
  expect(await screen.findByRole('region', { name: 'Played lately' })).toBeVisible();
});

test('on a new device the games wait up to 3 s for the recent games above them', async () => {
  vi.useFakeTimers();
  const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const strip = () => screen.queryByRole('region', { name: 'Played lately' });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  logIn();
  localStorage.removeItem('played');
  open('/m/game', { ...answers, [recents]: promise });
  await later(2_900);
  expect([strip(), screen.queryByText('Game 1')]).toEqual([null, null]);
  await later(100);
  expect(strip()).toBeNull();
  expect(screen.getByText('Game 1')).toBeVisible();
  resolve(answers[recents]);
  await later(0);
  expect(within(strip()!).getByText('Game 31')).toBeVisible();
});

test('visitors have no recent games, and their launches are not recorded', async () => {
  const requests = open('/m/game');
  await userEvent.click(await screen.findByRole('link', { name: 'Game 1' }));
  expect(location.pathname).toBe('/m/login');
  expect(requests.some(({ url }) => url.includes('recentGame'))).toBe(false);
});

test('a game under maintenance says so and does not start', async () => {
  const closed = game(1, { maintenance: true });
  open('/m/game', { ...answers, [hot]: { list: [closed] } });
  await userEvent.click(await screen.findByRole('link', { name: 'Game 1' }));
  expect(screen.getByText('Maintenance')).toBeVisible();
  expect(location.pathname).toBe('/m/game');
  expect(useToastStore.getState().current).toMatchObject({ kind: 'error' });
});

test('GL-03 an unsupported game says so on its tile and does not start', async () => {
  open('/m/game', { ...answers, [hot]: { list: [game(1, { supportPlay: false }), game(2)] } });
  await userEvent.click(await screen.findByRole('link', { name: 'Game 1' }));
  expect(screen.getAllByText('Not open yet')).toHaveLength(1);
  expect(location.pathname).toBe('/m/game');
});

test('starting a removed game shows an error', async () => {
  logIn();
  open('/m/game', {
    ...answers,
    [hot]: { list: [game(1, { vassalage: 'TCG_SEA' })] },
    'POST /wps/relay/GCS_recentGame': new Failing(404, 'catalogue.unknown_game'),
  });
  await userEvent.click(await screen.findByRole('link', { name: 'Game 1' }));
  await expect.poll(() => useToastStore.getState().current?.kind).toBe('error');
});

test.each(['NONE', '', '%00', '<b>'])(
  'the unknown category %j falls back to the first one',
  async (code) => {
    open(`/m/game?category=${encodeURIComponent(code)}`);
    await screen.findByText('Game 1');
    expect(rail().getByRole('link', { name: 'Hot' }).getAttribute('aria-current')).toBe('true');
  },
);

test.each([
  ['a control character', '%00', null],
  ['markup', '<b>', null],
  ['too long', 'x'.repeat(600), null],
  ['many', 'JL,PG,'.repeat(70), 'JL'],
])('an invalid vendor in the URL is not requested: %s', async (_, code, expected) => {
  const requests = open(`/m/game?category=RNG&vassalage=${code}`);
  await screen.findByText('Game 11');
  expect(queriesOf(requests, 'GCSGAME_gameList')[0]?.vassalage ?? null).toBe(expected);
});

test.each([
  ['SPORTS', 'Sports'],
  ['FAV', 'Favourites'],
  ['ELOTT', 'Hot'],
  ['NONE', 'Hot'],
])('EN-10 lobby part: for the server’s %s the lobby opens with %s', async (code, name) => {
  open('/m/game', {
    ...answers,
    'GET /wps/system/status': { ...status, gamePageAvtiveCategory: code },
  });
  await expect
    .poll(() => rail().getByRole('link', { name }).getAttribute('aria-current'))
    .toBe('true');
});

test('LB-05 an empty category says so and links to other games', async () => {
  open('/m/game?category=SPORTS', { ...answers, [list]: gamePage([]) });
  expect(await screen.findByText('No games here yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See hot games' }).getAttribute('href')).toBe(
    '/m/gameList?type=hot',
  );
});

test('ER-02 lobby part: a failed list shows the reason, and a tap reloads it', async () => {
  let calls = 0;
  open('/m/game?category=RNG', {
    ...answers,
    [list]: () => {
      calls += 1;
      return calls === 1 ? new Failing(503, 'system.unavailable') : gamePage([game(11)]);
    },
  });
  const row = await screen.findByRole('button', { name: /Load failed, tap to retry/ });
  expect(row.textContent).toContain('System upgrading, please try again later');
  await userEvent.click(row);
  expect(await screen.findByText('Game 11')).toBeVisible();
});

test('when the vendors fail to load, the menu keeps the fixed entries and a tap retries', async () => {
  let calls = 0;
  open('/m/game', {
    ...answers,
    [vendors]: () => {
      calls += 1;
      return calls === 1 ? new Failing(500, 'system.error') : answers[vendors];
    },
  });
  await userEvent.click(await rail().findByRole('button', { name: 'Load failed, tap to retry' }));
  expect(await rail().findByRole('link', { name: 'Sports' })).toBeVisible();
});

test('pulling down reloads the list from its first page', async () => {
  const requests = open('/m/game?category=RNG');
  await screen.findByText('Game 11');
  const at = (y: number) => ({ touches: [{ clientX: 250, clientY: y }] });
  fireEvent.touchStart(document.body, at(100));
  for (const y of [140, 180, 240]) fireEvent.touchMove(document.body, at(y));
  fireEvent.touchEnd(document.body, { touches: [] });
  await expect
    .poll(() => queriesOf(requests, 'GCSGAME_gameList').map(({ pageNo }) => pageNo))
    .toEqual(['1', '1']);
});

test('CA-14 in part: the news show below the hot games only', async () => {
  const callbacks: IntersectionObserverCallback[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        callbacks.push(callback);
      }
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const requests = open('/m/game', {
    ...answers,
    'GET /wps/relay/GLS2_lobbyNews': [{ id: '1', title: 'Told 1', url: '', type: 'PL' }],
  });
  const tile = await screen.findByText('Game 1');
  const entry = { isIntersecting: true } as IntersectionObserverEntry;
  act(() => callbacks.forEach((callback) => callback([entry], {} as IntersectionObserver)));
  const news = await screen.findByRole('region', { name: 'News' });
  expect(tile.compareDocumentPosition(news)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await userEvent.click(rail().getByRole('link', { name: 'Slots' }));
  await screen.findByText('Game 11');
  expect(screen.queryByRole('region', { name: 'News' })).toBeNull();
  expect(queriesOf(requests, 'lobbyNews')).toHaveLength(1);
});

test('an incomplete response shows the valid games', async () => {
  open('/m/game?category=RNG', {
    ...answers,
    [list]: { games: [{ gameName: 'No id' }, { nodeId: '5', gameName: 'Bare' }] },
  });
  expect(await screen.findByText('Bare')).toBeVisible();
  expect(screen.queryByText('No id')).toBeNull();
});
