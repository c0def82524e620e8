import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

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

const block = async (name: string) => within(await screen.findByRole('region', { name }));

test('HM-09 hot games that are not live, and a live section, the first 18 of each, each with a counter', async () => {
  answerWith({ ...answers, [hotGames]: { list } });
  renderScreen(<HomeBlocks />);
  const others = await block('Jackpot');
  await others.findByText('Game 18');
  expect(others.queryByText('Game 19')).toBeNull();
  expect(others.getAllByRole('article')).toHaveLength(18);
  const live = await block('Hot live tables');
  await live.findByText('Game 118');
  expect(live.getAllByRole('article')).toHaveLength(18);
  expect(live.getByText('Game 101')).toBeDefined();
  for (const each of [others, live]) {
    const counters = each.getAllByText(/^[\d,]{13} ₫$/);
    expect(counters).toHaveLength(18);
    expect(new Set(counters.map((counter) => counter.textContent)).size).toBe(18);
    expect(each.getByText('Illustration')).toBeDefined();
    expect(each.getByRole('link', { name: 'Rules' }).getAttribute('href')).toBe('/m/jackpot');
  }
});

test('HM-09 PP-13 a real pool stands without a caption, under games that can win it and no others', async () => {
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
  const others = await block('Jackpot');
  expect(await others.findAllByText('4,000,000,000 ₫')).toHaveLength(2);
  const counted = others
    .getAllByRole('listitem')
    .filter((item) => within(item).queryByText('4,000,000,000 ₫'))
    .map((item) => within(item).getByRole('article').textContent);
  expect(counted).toEqual([expect.stringContaining('Game 1'), expect.stringContaining('Game 4')]);
  expect(others.getByRole('link', { name: 'Rules' })).toBeDefined();
  const live = await block('Hot live tables');
  await live.findByText('Game 5');
  expect(live.queryByText(/₫/)).toBeNull();
  expect(live.queryByRole('link', { name: 'Rules' })).toBeNull();
  for (const each of [others, live]) expect(each.queryByText('Illustration')).toBeNull();
});

test('PP-13 a pool that rests counts nothing, and its rules say until when', async () => {
  answerWith({
    ...answers,
    [hotGames]: { list: [game(1), game(2, { gameCategory: 'LIVE' })] },
    'GET /wps/system/jackpot': { ...realJackpot, amount: 0, games: [] },
  });
  renderScreen(<HomeBlocks />);
  const others = await block('Jackpot');
  await others.findByText('Game 1');
  const rules = await others.findByRole('link', { name: 'Rules' });
  expect(rules.getAttribute('href')).toBe('/m/jackpot');
  for (const each of [others, await block('Hot live tables')]) {
    expect(each.queryByText(/₫/)).toBeNull();
    expect(each.queryByText('Illustration')).toBeNull();
  }
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
  const own = await block('Favourites');
  expect(await own.findByText('Game 7')).toBeDefined();
  expect(own.getByRole('link', { name: 'More' }).getAttribute('href')).toBe('/m/gameList?type=fav');
});

test('a taste of the winner board, under its caption, leads to all of it', async () => {
  answerWith(answers);
  renderScreen(<HomeBlocks />);
  const board = await block('Winner board');
  expect(board.getAllByRole('listitem')).toHaveLength(3);
  expect(board.getByText('Illustration')).toBeDefined();
  expect(board.getByText(/what a round paid out, its stake included/)).toBeDefined();
  expect(board.getByRole('link', { name: 'More' }).getAttribute('href')).toBe('/m/winnerBoard');
  const play = board.getByRole('link', { name: 'Play Game 1 now' });
  expect(play.getAttribute('href')).toContain('gameId=rng-1&nodeId=1001');
  await userEvent.click(play);
  expect(location.pathname).toBe('/m/login');
});

test('a click that asks for another tab is left to the browser', async () => {
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
])('ER-02 home blocks part: without %s it says so, and a tap brings %s', async (call, name) => {
  const path = `GET /wps/relay/${call}` as keyof typeof answers;
  const half: Record<string, unknown> = {
    ...answers,
    [path]: new Failing(503, 'system.unavailable'),
  };
  answerWith(half);
  renderScreen(<HomeBlocks />);
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  expect(screen.queryByRole('region', { name })).toBeNull();
  half[path] = answers[path];
  await userEvent.click(retry);
  const shown = await block(name);
  expect((await shown.findAllByText(/Game 1/))[0]).toBeDefined();
});

test('ER-02 footer part: without its providers and its pages it says so once, and a tap brings both', async () => {
  const vendors = 'GET /wps/relay/GCSGAME_newGameVendor';
  const half: Record<string, unknown> = {
    ...answers,
    [vendors]: new Failing(503, 'system.unavailable'),
    'GET /wps/system/pages': new Failing(503, 'system.unavailable'),
  };
  answerWith(half);
  renderScreen(<HomeBlocks />);
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  expect(screen.getByText(/Bảo lưu mọi quyền/)).toBeDefined();
  half[vendors] = [{ vendorCode: 'PG', displayName: 'Paper Garden' }];
  half['GET /wps/system/pages'] = answers['GET /wps/system/pages'];
  await userEvent.click(retry);
  const providers = await block('Game providers');
  expect(await providers.findByRole('link', { name: 'Paper Garden' })).toBeDefined();
  expect(await screen.findByRole('link', { name: 'Privacy' })).toBeDefined();
  expect(screen.queryByRole('button', { name: /Load failed/ })).toBeNull();
});

test('the providers keep their place while they are on their way', async () => {
  answerWith({ ...answers, 'GET /wps/relay/GCSGAME_newGameVendor': () => new Promise(() => {}) });
  renderScreen(<HomeBlocks />);
  const place = await screen.findByRole('region', { name: 'Game providers' });
  expect(place.getAttribute('aria-busy')).toBe('true');
});

test('settings and vendors that lack their lists leave the footer standing', async () => {
  const { licences: _licences, downloadLinks: _links, ...half } = settings;
  answerWith({
    ...answers,
    'GET /wps/system/settings/consolidated': half,
    'GET /wps/relay/GCSGAME_newGameVendor': [{ vendorCode: 'PG' }],
    'GET /wps/system/pages': null,
  });
  renderScreen(<HomeBlocks />);
  expect(await (await block('Game providers')).findByRole('link', { name: 'PG' })).toBeDefined();
  expect(screen.getByText(/Bảo lưu mọi quyền/)).toBeDefined();
});

test('LY-07 LY-08 providers in their order, three badges, the Vietnamese line, the policies', async () => {
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
  for (const { name } of settings.licences) expect(screen.getByText(name)).toBeDefined();
  expect(screen.getByText(/Bảo lưu mọi quyền/).getAttribute('lang')).toBe('vi');
  const pages = within(screen.getByRole('navigation', { name: 'Terms and policies' }));
  expect(pages.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/m/userAgreement',
    '/m/policy/privacy',
  ]);
});
