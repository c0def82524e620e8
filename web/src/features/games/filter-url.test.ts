// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { allGames } from '../../api/game-list.ts';
import { filterCount, listPath, readList, unfiltered } from './filter-url.ts';

const read = (query: string) => readList(new URLSearchParams(query));

test('RT-18 query part: reading and writing a URL returns the same URL', () => {
  for (const query of [
    '',
    'type=hot',
    'type=fav',
    'gameType=RNG&vassalage=JL,PG',
    'type=hot&gameType=FISH&vassalage=KOI&gameName=ca+map&gameClassify=boss,hunt&minBet=1000&minLine=20&freeplay=1&sort=new',
  ]) {
    expect(listPath(read(query))).toBe(query ? `/m/gameList?${query}` : '/m/gameList');
  }
});

test.each([
  ['gameType=HOT', 'type=hot'],
  ['gameType=FAV&gameName=ca', 'type=fav&gameName=ca'],
  ['type=hot&gameType=FAV', 'type=hot'],
])('RT-18, LB-13 in part: a category that is a view is read as a view: %s', (query, same) => {
  expect(read(query)).toEqual(read(same));
  expect(listPath(read(query))).toBe(`/m/gameList?${same}`);
});

test('an empty query lists all games', () => {
  expect(read('')).toEqual({ view: 'all', filter: allGames });
});

test.each([
  'type=cold',
  'minBet=-1&minLine=1e3',
  'minBet=9999999999999&minLine=x',
  'sort=price',
  'freeplay=2',
  'vassalage=,,&gameClassify=%20',
  'vassalage=<script>&gameType=',
  'gameType=%00&gameName=%00',
  `gameType=${'X'.repeat(41)}`,
])('invalid values are ignored: %s', (query) => {
  expect(read(query)).toEqual({ view: 'all', filter: allGames });
});

test('a long name is cut to whole characters, as on the server', () => {
  const name = '🎰'.repeat(64);
  expect(read(`gameName=${encodeURIComponent(`a${name}`)}`).filter.name).toBe(
    `a${'🎰'.repeat(63)}`,
  );
  expect(read(`gameName=${encodeURIComponent(name)}`).filter.name).toBe(name);
});

test('an unknown category is kept, because a vendor may serve it', () => {
  expect(read('gameType=NEW').filter.category).toBe('NEW');
});

test('filters are counted and removed', () => {
  const { filter } = read('gameType=RNG&vassalage=JL,PG&gameClassify=myth&minBet=5&gameName=a');
  expect(filterCount(filter)).toBe(4);
  expect(filterCount(unfiltered(filter))).toBe(0);
  expect(unfiltered(filter)).toMatchObject({ category: 'RNG', name: 'a' });
});
