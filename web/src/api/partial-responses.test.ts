// @vitest-environment jsdom
// Responses with missing fields. Other servers that implement the API may send them.
import { QueryClient, type QueryKey, type QueryFunction } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { announcement, game, settings } from '../lib/testing/fixtures.ts';
import { hotGamesQuery } from './catalogue.ts';
import { announcementsQuery } from './content.ts';
import { downloadOf } from './downloads.ts';
import { gameClassesQuery, vendorCountsQuery } from './game-list.ts';
import { claimsQuery } from './install.ts';
import { jackpotQuery } from './jackpot.ts';
import { liveBannersQuery } from './live-models.ts';
import { announcementQuery } from './notices.ts';
import { pagesQuery } from './pages.ts';
import { serviceLinksQuery } from './service.ts';
import { settingsQuery, statusQuery, switchesQuery } from './system.ts';
import { readVendors } from './vendors.ts';
import { winnersQuery } from './winners.ts';

const paths = {
  settings: 'GET /wps/system/settings/consolidated',
  status: 'GET /wps/system/status',
  switches: 'GET /wps/system/whitelabel',
  services: 'GET /wps/system/customerService',
  pages: 'GET /wps/system/pages',
  claims: 'GET /wps/system/claims',
  jackpot: 'GET /wps/system/jackpot',
  vendors: 'GET /wps/relay/GCSGAME_newGameVendor',
  kinds: 'GET /wps/relay/GCSGAME_getVassGameType',
  hot: 'GET /wps/relay/GCSGAME_hotGamesV2',
  winners: 'GET /wps/relay/GCSGAME_getRankList',
  list: 'GET /wps/relay/MCSFE_getListAnnouncements',
  one: 'GET /wps/relay/MCSFE_getAnnouncement',
  models: 'GET /wps/relay/LIVE_getModelList',
} as const;

let cache: QueryClient;

beforeEach(() => {
  cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});

/** Fetches a query with the given responses. */
function fetchWith<T, K extends QueryKey>(
  query: { queryKey: K; queryFn?: QueryFunction<T, K> | symbol | undefined },
  answers: Partial<Record<keyof typeof paths, unknown>>,
): Promise<T> {
  const given = { settings, ...answers };
  answerWith(
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [paths[name as keyof typeof paths], value]),
    ),
  );
  return cache.fetchQuery(query as Parameters<typeof cache.fetchQuery<T, Error, T, K>>[0]);
}

test('settings without lists, currency and sign-in get the defaults', async () => {
  const partial = await fetchWith(settingsQuery, { settings: { merchantCode: 'other' } });
  expect(partial).toMatchObject({
    merchantCode: 'other',
    licences: [],
    downloadLinks: [],
    currency: { code: 'CNY', symbol: '￥', pattern: '#,##0.00', decimals: 2 },
  });
  expect(downloadOf(partial, 'IOS')).toBeNull();
  const complete = await fetchWith({ ...settingsQuery, queryKey: ['again'] as never }, {});
  expect(complete).toEqual(settings);
});

test('an empty status means an open site that starts with the hot games', async () => {
  expect(await fetchWith(statusQuery, { status: {} })).toMatchObject({
    state: 'normal',
    homeCategory: 'HOT',
    maintenance: null,
  });
});

test('missing switches are off', async () => {
  const partial = await fetchWith(switchesQuery, { switches: { flags: null } });
  const { flag, module, promotion } = switchesQuery.select!(partial);
  expect([flag('CBS3'), module('INBOX3'), promotion('REFERRAL')]).toEqual([false, false, false]);
});

test.each([[null], [[{ csType: 'CS' }]]])('services %j have no links', async (services) => {
  expect(await fetchWith(serviceLinksQuery, { services })).toEqual([]);
});

test('a vendor without categories serves none; a vendor without a code is dropped', () => {
  const read = readVendors([
    { vendorCode: 'JL' },
    { displayName: 'Nobody' },
    { vendorCode: 'AV', gameTypes: null as never },
  ]);
  expect(read).toEqual(
    ['JL', 'AV'].map((code) => ({
      code,
      name: code,
      categories: [],
      icon: '',
      sorting: 0,
      maintenance: false,
    })),
  );
});

test('vendor types without classes and counts are empty', async () => {
  const kinds = await fetchWith(gameClassesQuery, {
    kinds: [{ vassalage: 'JL' }, { vassalage: 'AV', classify: null }],
  });
  expect(gameClassesQuery.select(kinds)).toEqual([]);
  expect(vendorCountsQuery('RNG').select(kinds).size).toBe(0);
});

test.each([
  ['no list', {}, []],
  ['a list of null', { list: null }, []],
  ['games without an id', { list: [game(1, { nodeId: undefined }), game(2)] }, ['1002']],
])('hot games: %s', async (_name, hot, ids) => {
  const games = await fetchWith(hotGamesQuery('vi'), { hot });
  expect(games.map(({ nodeId }) => nodeId)).toEqual(ids);
});

test('announcements keep their fields; an announcement without an id is dropped', async () => {
  const partial = { id: '5', type: 'PL' };
  const list = [partial, { type: 'PL', title: 'Nobody' }, announcement(1)];
  const read = await fetchWith(announcementsQuery('vi'), { list });
  const blank = { content: '', cta: '', tag: '', title: '', url: '', startTime: 0 };
  expect(read).toEqual([{ ...partial, ...blank, execution: '' }, announcement(1)]);
  expect(await fetchWith(announcementsQuery('en'), { list: null })).toEqual([]);
});

test('a single announcement gets the same defaults', async () => {
  const one = await fetchWith(announcementQuery('vi', '9'), { one: { title: 'News' } });
  expect(one).toMatchObject({ id: '9', title: 'News', content: '', url: '', startTime: 0 });
});

test('live tables without models have no banners', async () => {
  expect(await fetchWith(liveBannersQuery('vi'), { models: null })).toEqual([]);
});

test('winners: rows without a win are dropped', async () => {
  const winners = {
    list: [{ simulated: true }, { simulated: true, vo: { customerName: 'a***b' } }],
  };
  const read = await fetchWith(winnersQuery('vi'), { vendors: [], winners });
  expect(read.map(({ name }) => name)).toEqual(['a***b']);
});

test('pages and claims without a list are empty', async () => {
  expect(await fetchWith(pagesQuery('vi'), { pages: null })).toEqual([]);
  expect(await fetchWith(claimsQuery, { claims: { source: 'simulated' } })).toMatchObject({
    list: [],
  });
});

test('a jackpot without an amount fails; a jackpot without growth stays constant', async () => {
  await expect(fetchWith(jackpotQuery, { jackpot: { source: 'pool' } })).rejects.toThrow(
    'system.error',
  );
  const constant = await fetchWith(jackpotQuery, { jackpot: { source: 'pool', amount: 70 } });
  expect(constant).toMatchObject({
    simulated: false,
    amount: 70,
    start: 70,
    perTick: 0,
    tickMs: 200,
  });
});
