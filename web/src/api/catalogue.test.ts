// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { game as wireGame, homeAnswers } from '../lib/testing/fixtures.ts';
import { hotGamesQuery, readGame, wireVendorsQuery, type Game } from './catalogue.ts';
import { favouritePagesQuery } from './favourites.ts';
import { allGames, gameClassesQuery, gamePagesQuery } from './game-list.ts';
import { liveBannersQuery } from './live-models.ts';
import { recentGamesQuery, recordRecent } from './recents.ts';
import { winnersQuery } from './winners.ts';

const icon = '/m/art/tiles/lott-001.webp';

const game: Game = {
  id: 'lott-001',
  nodeId: '7',
  name: 'Xổ Số Miền Bắc',
  language: 'vi',
  vendor: 'TCG_SEA',
  vendorName: 'Sea Draws',
  category: 'LOTT',
  image: icon,
  smallImage: '/small.webp',
  supportPlay: false,
  freePlay: true,
  html5: true,
  code: 'mb',
  group: 'north',
  lotteryMode: 'Tradition,Entertainment',
  classes: ['north', 'new'],
  minBet: 1000,
  minLines: 20,
  hot: true,
  maintenance: true,
  notOpen: true,
};

/** The fields that have only one name. */
const otherFields = {
  nodeId: '7',
  displayName: 'Sea Draws',
  mobileSmallIcon: '/small.webp',
  supportPlay: false,
  gameCode: 'mb',
  gameGroupId: 'north',
  lottoMode: 'Tradition,Entertainment',
  isGameH5: true,
  freeplay: true,
  gameClassifyNew: ['north', 'new'],
  minBet: 1000,
  minLine: 20,
  hot: true,
  maintenance: true,
  notOpen: true,
};

test('EN-06 reads each field under each of its names', () => {
  const usual = {
    ...otherFields,
    gameId: 'lott-001',
    nodeName: 'Xổ Số Miền Bắc',
    vassalage: 'TCG_SEA',
    gameCategory: 'LOTT',
    iconUrl: icon,
  };
  const other = {
    ...otherFields,
    roomId: 'lott-001',
    gameName: 'Xổ Số Miền Bắc',
    vendorCode: 'TCG_SEA',
    gameType: 'LOTT',
    showIcon: icon,
  };
  const { iconUrl, ...withoutIcon } = usual;
  expect(readGame(usual, 'vi')).toEqual(game);
  expect(readGame(other, 'vi')).toEqual(game);
  expect(readGame({ ...withoutIcon, mobileLargeIcon: iconUrl }, 'vi')).toEqual(game);
});

test('a game with missing fields gets defaults', () => {
  expect(readGame({}, 'en')).toEqual({
    ...game,
    id: '',
    nodeId: '',
    name: '',
    language: 'en',
    vendor: '',
    vendorName: '',
    category: '',
    image: '',
    smallImage: '',
    supportPlay: true,
    freePlay: false,
    code: '',
    group: '',
    lotteryMode: '',
    classes: [],
    minBet: 0,
    minLines: 0,
    hot: false,
    maintenance: false,
    notOpen: false,
  });
  expect(readGame({ iconUrl: icon }, 'vi').smallImage).toBe(icon);
});

test('a vendor without a display name is shown by its code', () => {
  expect(readGame({ vassalage: 'JL' }, 'vi').vendorName).toBe('JL');
});

const relay = (call: string) => `GET /wps/relay/${call}`;

test.each([
  ['vi', 'VI', 'vi'],
  ['en', 'EN', 'en'],
  ['ur', 'EN', 'en'],
  ['pt', 'PT', 'pt'],
] as const)(
  'CA-09 the hot list for %s is requested in %s, and its games have that language',
  async (...each) => {
    const [language, sent, nameLanguage] = each;
    const requests = answerWith({
      ...homeAnswers,
      [relay('GCSGAME_hotGamesV2')]: { list: [wireGame(1)] },
    });
    const games = await new QueryClient().fetchQuery(hotGamesQuery(language));
    const call = requests.find(({ url }) => url.includes('hotGamesV2'));
    expect(Object.fromEntries(new URL(call!.url).searchParams)).toEqual({
      merchantCode: 'fairground',
      isPlatform: '2',
      language: sent,
      platform: 'html5',
    });
    expect(games.map((one) => one.language)).toEqual([nameLanguage]);
  },
);

test('CA-27 requests vendors and their types by merchant, live models by their state', async () => {
  const requests = answerWith({
    ...homeAnswers,
    [relay('GCSGAME_getVassGameType')]: [],
    [relay('LIVE_getModelList')]: [],
  });
  const cache = new QueryClient();
  await cache.fetchQuery(wireVendorsQuery);
  await cache.fetchQuery(gameClassesQuery);
  await cache.fetchQuery(liveBannersQuery('vi'));
  const sent = requests
    .filter(({ url }) => url.includes('/wps/relay/'))
    .map(({ method, url }) => {
      const { pathname, searchParams } = new URL(url);
      return [method, pathname.split('/').at(-1), Object.fromEntries(searchParams)];
    });
  expect(sent).toEqual([
    ['GET', 'GCSGAME_newGameVendor', { merchantCode: 'fairground' }],
    ['GET', 'GCSGAME_getVassGameType', { typeId: '1', merchantCode: 'fairground' }],
    ['GET', 'LIVE_getModelList', { status: 'active,streaming' }],
  ]);
});

test('CA-12 records an opened game by its nodeId and requests the list by language', async () => {
  const requests = answerWith({
    ...homeAnswers,
    [relay('GCS_recentGame')]: { list: [wireGame(1)] },
    'POST /wps/relay/GCS_recentGame': {},
  });
  const cache = new QueryClient();
  await recordRecent(cache, '1001');
  const games = await cache.fetchQuery(recentGamesQuery('vi'));
  expect(games.map(({ nodeId }) => nodeId)).toEqual(['1001']);
  const [recorded, listed] = requests.filter(({ url }) => url.includes('GCS_recentGame'));
  expect([recorded!.method, await recorded!.json()]).toEqual(['POST', { nodeId: '1001' }]);
  expect([listed!.method, new URL(listed!.url).search]).toEqual(['GET', '?language=VI']);
});

test('CA-07 CA-08 CA-11 CA-12 language part: every other request for games uses Urdu', async () => {
  const requests = answerWith({
    ...homeAnswers,
    [relay('GCSGAME_gameList')]: { games: [], pageNum: 1, totalPages: 1 },
    [relay('MCSFE_getFavoriteGames')]: { content: [], pageNum: 1, totalPages: 1 },
    [relay('GCS_recentGame')]: { list: [] },
    [relay('GCSGAME_getRankList')]: { list: [] },
  });
  const cache = new QueryClient();
  await cache.fetchInfiniteQuery(gamePagesQuery('ur', allGames));
  await cache.fetchInfiniteQuery(favouritePagesQuery('ur', 15));
  await cache.fetchQuery(recentGamesQuery('ur'));
  await cache.fetchQuery(winnersQuery('ur'));
  const languages = requests
    .filter(({ url }) => /gameList|Favorite|recentGame|RankList/.test(url))
    .map(({ url }) => new URL(url).searchParams.get('language'));
  expect(languages).toEqual(['UR', 'UR', 'UR', 'UR']);
});
