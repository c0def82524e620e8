// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { allGames } from '../../api/game-list.ts';
import { filterCount, listPath, readList, unfiltered } from './address.ts';

const read = (query: string) => readList(new URLSearchParams(query));

test('RT-18 query part: what is read from an address is written as the same address', () => {
  for (const query of [
    '',
    'type=hot',
    'type=fav',
    'gameType=RNG&vassalage=JL,PG',
    'type=hot&gameType=FISH&vassalage=KOI&gameName=ca+map&gameClassify=boss,hunt&minBet=1000&minLine=20&sort=new',
  ]) {
    expect(listPath(read(query))).toBe(query ? `/m/gameList?${query}` : '/m/gameList');
  }
});

test.each([
  ['gameType=HOT', 'type=hot'],
  ['gameType=FAV&gameName=ca', 'type=fav&gameName=ca'],
  ['type=hot&gameType=FAV', 'type=hot'],
])('RT-18, LB-13 in part: a category that is a view is read as one: %s', (query, same) => {
  expect(read(query)).toEqual(read(same));
  expect(listPath(read(query))).toBe(`/m/gameList?${same}`);
});

test('without a query it is all games', () => {
  expect(read('')).toEqual({ view: 'all', filter: allGames });
});

test.each([
  'type=cold',
  'minBet=-1&minLine=1e3',
  'minBet=9999999999999&minLine=x',
  'sort=price',
  'vassalage=,,&gameClassify=%20',
  'vassalage=<script>&gameType=',
  'gameType=%00&gameName=%00',
  `gameType=${'X'.repeat(41)}`,
])('what makes no sense in an address counts as not said: %s', (query) => {
  expect(read(query)).toEqual({ view: 'all', filter: allGames });
});

test('a long name is cut between characters, where the server cuts it', () => {
  const name = '🎰'.repeat(64);
  expect(read(`gameName=${encodeURIComponent(`a${name}`)}`).filter.name).toBe(
    `a${'🎰'.repeat(63)}`,
  );
  expect(read(`gameName=${encodeURIComponent(name)}`).filter.name).toBe(name);
});

test('an unknown category is kept: whoever serves it may know it', () => {
  expect(read('gameType=NEW').filter.category).toBe('NEW');
});

test('the number of filters, and the list without them', () => {
  const { filter } = read('gameType=RNG&vassalage=JL,PG&gameClassify=myth&minBet=5&gameName=a');
  expect(filterCount(filter)).toBe(4);
  expect(filterCount(unfiltered(filter))).toBe(0);
  expect(unfiltered(filter)).toMatchObject({ category: 'RNG', name: 'a' });
});
