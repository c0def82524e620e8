import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../../../api/session.ts';
import { answerWith, Failing } from '../../../lib/testing/answers.ts';
import {
  game,
  homeAnswers,
  jackpot,
  realJackpot,
  settings,
  winner,
} from '../../../lib/testing/fixtures.ts';
import { renderScreen } from '../../../lib/testing/screen.tsx';
import { advanceTime } from '../../../lib/testing/time.ts';
import HomeBlocks from './HomeBlocks.tsx';

const hotGames = 'GET /wps/relay/GCSGAME_hotGamesV2';
const favourites = 'GET /wps/relay/MCSFE_getFavoriteGames';
const answers = {
  ...homeAnswers,
  'GET /wps/system/jackpot': jackpot,
  'GET /wps/relay/GCSGAME_getRankList': { list: [1, 2, 3, 4].map((n) => winner(n)) },
  'GET /wps/system/pages': [
    { name: 'userAgreement', title: 'User agreement' },
    { name: 'privacy', title: 'Privacy' },
  ],
};
const list = [
  ...Array.from({ length: 20 }, (_, i) => game(i + 1)),
  ...Array.from({ length: 19 }, (_, i) => game(i + 101, { gameCategory: 'LIVE' })),
];

beforeEach(clearSession);

afterEach(() => {
  vi.useRealTimers();
  history.replaceState(null, '', '/m/home');
});

const block = async (name: string) => within(await screen.findByRole('region', { name }));

test('HM-09 hot games and live games have separate sections of at most 18, each game with a counter', async () => {
  answerWith({ ...answers, [hotGames]: { list } });
  renderScreen(<HomeBlocks />);
  const hot = await block('Jackpot');
  await hot.findByText('Game 18');
  expect(hot.queryByText('Game 19')).toBeNull();
  expect(hot.getAllByRole('article')).toHaveLength(18);
  const live = await block('Hot live tables');
  await live.findByText('Game 118');
  expect(live.getAllByRole('article')).toHaveLength(18);
  expect(live.getByText('Game 101')).toBeVisible();
  for (const each of [hot, live]) {
    const counters = each.getAllByText(/^[\d,]{13} ₫$/);
    expect(counters).toHaveLength(18);
    expect(new Set(counters.map((counter) => counter.textContent)).size).toBe(18);
    expect(each.getByText('Illustration')).toBeVisible();
    expect(each.getByRole('link', { name: 'Rules' }).getAttribute('href')).toBe('/m/jackpot');
  }
});

test('HM-09 PP-13 a real jackpot has no “Illustration” caption and is shown only under games that take part in it', async () => {
  answerWith({
    ...answers,
    [hotGames]: {
      list: [
        game(1),
        game(2, { vassalage: 'AV' }),
        game(3, { gameCategory: 'FISH' }),
        game(4, { vassalage: 'AV', gameCategory: 'JL' }),
        game(5, { gameCategory: 'LIVE' }),
      ],
    },
    'GET /wps/system/jackpot': realJackpot,
  });
  renderScreen(<HomeBlocks />);
  const hot = await block('Jackpot');
  expect(await hot.findAllByText('4,000,000,000 ₫')).toHaveLength(2);
  const gamesWithCounter = hot
    .getAllByRole('listitem')
    .filter((item) => within(item).queryByText('4,000,000,000 ₫'))
    .map((item) => within(item).getByRole('article').textContent);
  expect(gamesWithCounter).toEqual([
    expect.stringContaining('Game 1'),
    expect.stringContaining('Game 4'),
  ]);
  expect(hot.getByRole('link', { name: 'Rules' })).toBeVisible();
  const live = await block('Hot live tables');
  await live.findByText('Game 5');
  expect(live.queryByText(/₫/)).toBeNull();
  expect(live.queryByRole('link', { name: 'Rules' })).toBeNull();
  for (const each of [hot, live]) expect(each.queryByText('Illustration')).toBeNull();
});

test('PP-13 a paused pool shows no counter but links to its rules', async () => {
  answerWith({
    ...answers,
    [hotGames]: { list: [game(1), game(2, { gameCategory: 'LIVE' })] },
    'GET /wps/system/jackpot': { ...realJackpot, amount: 0, games: [] },
  });
  renderScreen(<HomeBlocks />);
  const hot = await block('Jackpot');
  await hot.findByText('Game 1');
  const rules = await hot.findByRole('link', { name: 'Rules' });
  expect(rules.getAttribute('href')).toBe('/m/jackpot');
  for (const each of [hot, await block('Hot live tables')]) {
    expect(each.queryByText(/₫/)).toBeNull();
    expect(each.queryByText('Illustration')).toBeNull();
  }
});

test('PP-13 in part: without a jackpot the games show no figure', async () => {
  answerWith({
    ...answers,
    [hotGames]: { list: [game(1), game(2, { gameCategory: 'LIVE' })] },
    'GET /wps/system/jackpot': { ...jackpot, source: 'none', amount: 0, start: 0, perTick: 0 },
  });
  renderScreen(<HomeBlocks />);
  const hot = await block('Hot games');
  const live = await block('Hot live tables');
  await waitFor(() => {
    for (const games of [hot, live]) expect(games.getByRole('article')).toBeVisible();
  });
  for (const games of [hot, live]) {
    expect(games.queryByText(/₫/)).toBeNull();
    expect(games.queryByText('Illustration')).toBeNull();
    expect(games.queryByRole('link', { name: 'Rules' })).toBeNull();
  }
  expect(screen.queryByRole('region', { name: 'Jackpot' })).toBeNull();
});

test('HM-06 a member sees favourites with a more button, a visitor does not', async () => {
  answerWith({ ...answers, [favourites]: { content: [game(7)], pageNum: 1, totalPages: 1 } });
  const { unmount } = renderScreen(<HomeBlocks />);
  await block('Jackpot');
  expect(screen.queryByRole('region', { name: 'Favourites' })).toBeNull();
  unmount();
  const session = { token: 't', type: 0, userName: 'demo88', merchantCode: 'f' };
  act(() => startSession({ ...session, firstTimeLogin: false }));
  renderScreen(<HomeBlocks />);
  const favouritesBlock = await block('Favourites');
  expect(await favouritesBlock.findByText('Game 7')).toBeVisible();
  const more = favouritesBlock.getByRole('link', { name: 'More' });
  expect(more.getAttribute('href')).toBe('/m/gameList?type=fav');
});

test('the winner preview has a caption and links to the winner board', async () => {
  answerWith(answers);
  renderScreen(<HomeBlocks />);
  const board = await block('Winner board');
  expect(board.getAllByRole('listitem')).toHaveLength(3);
  expect(board.getByText('Illustration')).toBeVisible();
  expect(board.getByText(/what a round paid out, its stake included/)).toBeVisible();
  expect(board.getByRole('link', { name: 'More' }).getAttribute('href')).toBe('/m/winnerBoard');
  const play = board.getByRole('link', { name: 'Play Game 1 now' });
  expect(play.getAttribute('href')).toContain('gameId=rng-1&nodeId=1001');
  await userEvent.click(play);
  expect(location.pathname).toBe('/m/login');
});

test('a click with a modifier key is left to the browser', async () => {
  answerWith(answers);
  renderScreen(<HomeBlocks />);
  const play = (await block('Winner board')).getByRole('link', { name: 'Play Game 1 now' });
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey']) {
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, [key]: true });
    play.addEventListener('click', (event) => setTimeout(() => event.preventDefault()));
    play.dispatchEvent(click);
    expect(click.defaultPrevented).toBe(false);
  }
});

test.each([
  ['GCSGAME_getRankList', 'Winner board'],
  ['GCSGAME_hotGamesV2', 'Jackpot'],
])('ER-02 home blocks part: a failed %s shows an error, and a tap loads %s', async (call, name) => {
  const path = `GET /wps/relay/${call}` as keyof typeof answers;
  const replies: Record<string, unknown> = {
    ...answers,
    [path]: new Failing(503, 'system.unavailable'),
  };
  answerWith(replies);
  renderScreen(<HomeBlocks />);
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  expect(screen.queryByRole('region', { name })).toBeNull();
  replies[path] = answers[path];
  await userEvent.click(retry);
  const shown = await block(name);
  expect((await shown.findAllByText(/Game 1/))[0]).toBeVisible();
});

test('ER-02 footer part: failed providers and pages show one error, and a tap reloads both', async () => {
  const vendors = 'GET /wps/relay/GCSGAME_newGameVendor';
  const replies: Record<string, unknown> = {
    ...answers,
    [vendors]: new Failing(503, 'system.unavailable'),
    'GET /wps/system/pages': new Failing(503, 'system.unavailable'),
  };
  answerWith(replies);
  renderScreen(<HomeBlocks />);
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  expect(screen.getByText(/Bảo lưu mọi quyền/)).toBeVisible();
  replies[vendors] = [{ vendorCode: 'PG', displayName: 'Paper Garden' }];
  replies['GET /wps/system/pages'] = answers['GET /wps/system/pages'];
  await userEvent.click(retry);
  const providers = await block('Game providers');
  expect(await providers.findByRole('link', { name: 'Paper Garden' })).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Privacy' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /Load failed/ })).toBeNull();
});

test('the providers reserve their space while loading', async () => {
  answerWith({ ...answers, 'GET /wps/relay/GCSGAME_newGameVendor': () => new Promise(() => {}) });
  renderScreen(<HomeBlocks />);
  const place = await screen.findByRole('region', { name: 'Game providers' });
  expect(place.getAttribute('aria-busy')).toBe('true');
});

test('the footer renders with incomplete settings and vendors', async () => {
  const { licences: _licences, downloadLinks: _links, ...incompleteSettings } = settings;
  answerWith({
    ...answers,
    'GET /wps/system/settings/consolidated': incompleteSettings,
    'GET /wps/relay/GCSGAME_newGameVendor': [{ vendorCode: 'PG' }],
    'GET /wps/system/pages': null,
  });
  renderScreen(<HomeBlocks />);
  expect(await (await block('Game providers')).findByRole('link', { name: 'PG' })).toBeVisible();
  expect(screen.getByText(/Bảo lưu mọi quyền/)).toBeVisible();
});

test('LY-07 LY-08 the footer lists EG3, PG, FC and JL first and omits TCG_SEA; it shows three badges, the Vietnamese copyright line and the policies', async () => {
  const vendor = (vendorCode: string, vendorSorting: number) => ({
    vendorCode,
    displayName: vendorCode,
    iconUrl: `/m/art/vendors/${vendorCode}.webp`,
    gameTypes: [],
    vendorSorting,
  });
  answerWith({
    ...answers,
    'GET /wps/relay/GCSGAME_newGameVendor': ['AV', 'JL', 'TCG_SEA', 'PG', 'FC', 'EG3'].map(vendor),
  });
  renderScreen(<HomeBlocks />);
  const providers = await block('Game providers');
  expect((await providers.findAllByRole('link')).map((link) => link.textContent)).toEqual([
    'EG3',
    'PG',
    'FC',
    'JL',
    'AV',
  ]);
  for (const { name } of settings.licences) expect(screen.getByText(name)).toBeVisible();
  expect(screen.getByText(/Bảo lưu mọi quyền/).getAttribute('lang')).toBe('vi');
  const pages = within(screen.getByRole('navigation', { name: 'Terms and policies' }));
  expect(pages.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/m/userAgreement',
    '/m/policy/privacy',
  ]);
});

const now = Date.now();

const lotteryGame = (gameId: string, more: Record<string, unknown> = {}) => ({
  gameId,
  gameCode: `code-${gameId}`,
  gameName: `Game ${gameId}`,
  gameGroupId: '12',
  type: 'k3',
  period: 60,
  lottoMode: ['Tradition', 'Entertainment'],
  prizeModes: ['Elott', 'ZY'],
  iconUrl: '',
  numero: '20261118-0871',
  openTime: now,
  closeTime: now + 36_000,
  drawTime: now + 41_000,
  serverTime: now,
  last: { numero: '20261118-0870', winNo: '5,3,1' },
  ...more,
});
const regional = (gameId: string, closeTime: number) =>
  lotteryGame(gameId, {
    type: 'regional',
    numero: '20261119',
    closeTime,
    simulated: true,
    last: { numero: '20261116', winNo: '36776' },
  });

/** Calls under /lgw have no envelope. */
const withLottery = (...games: unknown[]) => ({
  ...answers,
  [hotGames]: { list },
  'GET /lgw/games': () => Response.json(games),
});

test('each lottery game shows when betting closes, its last result, and whether the demo simulates the draw', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now });
  history.replaceState(null, '', '/m/home?category=ELOTT');
  answerWith(withLottery(lotteryGame('1201'), regional('101', now + 7_200_000)));
  renderScreen(<HomeBlocks />);
  const lotteries = await block('Lottery');
  const fast = await lotteries.findByRole('link', { name: /^Game 1201/ });
  expect(fast).toHaveAttribute('href', '/m/startLottery?gameId=1201&pageBack=1');
  expect(fast).toHaveTextContent('Closes in 0:36');
  expect(within(fast).getByText('0870')).toBeVisible();
  expect(
    within(fast)
      .getAllByRole('img')
      .map((die) => die.getAttribute('aria-label')),
  ).toEqual(['5', '3', '1']);
  expect(fast).not.toHaveTextContent('demo');
  const slow = lotteries.getByRole('link', { name: /^Game 101/ });
  expect(slow).toHaveTextContent('Closes in 2:00:00');
  expect(slow).toHaveTextContent('Drawn by this demo');
  expect(slow).toHaveTextContent('16/11');
  expect(lotteries.getByRole('link', { name: 'All' })).toHaveAttribute('href', '/m/lottery');
  advanceTime(36_000);
  expect(fast).toHaveTextContent('Closed 0:00');
  expect(slow).toHaveTextContent('Closes in 1:59:24');
});

test('the lottery lists the fastest game of each kind except keno, then the four regional draws that close next', async () => {
  history.replaceState(null, '', '/m/home?category=ELOTT');
  const hourMs = 3_600_000;
  answerWith(
    withLottery(
      lotteryGame('1203', { period: 180 }),
      lotteryGame('1201', { period: 60 }),
      lotteryGame('1501', { type: 'keno' }),
      lotteryGame('1301', { type: 'pk10', last: undefined }),
      ...[5, 2, 4, 1, 3].map((hours) => regional(`10${hours}`, now + hours * hourMs)),
    ),
  );
  renderScreen(<HomeBlocks />);
  const lotteries = await block('Lottery');
  const names = () =>
    lotteries.getAllByRole('listitem').map((item) => /Game \d+/.exec(item.textContent)?.[0]);
  expect(names()).toEqual(['1201', '1301', '101', '102', '103', '104'].map((id) => `Game ${id}`));
});

test.each([
  { category: 'ELOTT', isFirst: true },
  { category: 'LOTT', isFirst: true },
  { category: 'RNG', isFirst: false },
])('the lottery is the first block of $category: $isFirst', async ({ category, isFirst }) => {
  history.replaceState(null, '', `/m/home?category=${category}`);
  answerWith(withLottery(lotteryGame('1201')));
  renderScreen(<HomeBlocks />);
  const names = ['Lottery', 'Jackpot', 'Winner board'];
  for (const name of names) await block(name);
  const regions = screen.getAllByRole('region');
  const placeOf = (name: string) => regions.indexOf(screen.getByRole('region', { name }));
  const order = names.toSorted((a, b) => placeOf(a) - placeOf(b));
  expect(order).toEqual(
    isFirst ? ['Lottery', 'Jackpot', 'Winner board'] : ['Jackpot', 'Lottery', 'Winner board'],
  );
});

test('home has no lottery block if the merchant has no lottery games', async () => {
  history.replaceState(null, '', '/m/home?category=ELOTT');
  answerWith(withLottery());
  renderScreen(<HomeBlocks />);
  await block('Winner board');
  expect(screen.queryByRole('region', { name: 'Lottery' })).toBeNull();
});
