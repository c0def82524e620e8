// @vitest-environment jsdom
import { expect, test } from 'vitest';

import fixture from '../../../../internal/game/catalogue/testdata/search.json';
import { readGame } from '../../api/catalogue.ts';
import { allGames } from '../../api/game-list.ts';
import { filterGames } from './filter-games.ts';

const games = fixture.games.map(({ name, vendor, category }, i) =>
  readGame({ nodeId: String(i), gameName: name, vassalage: vendor, gameCategory: category }, 'vi'),
);

// The server's tests run the same searches.
test.each(fixture.searches)(
  'LB-11 search part: $typed among $category finds what the server finds',
  ({ typed, category, finds }) => {
    const left = filterGames(games, { ...allGames, category, name: typed });
    expect(left.map(({ name }) => name)).toEqual(finds);
  },
);

test('the trial filter keeps games that trial members can play', () => {
  const wire = { gameCategory: 'RNG', vassalage: 'JL' };
  const both = [
    readGame({ ...wire, nodeId: '1', gameName: 'With trial', freeplay: true }, 'en'),
    readGame({ ...wire, nodeId: '2', gameName: 'Without', freeplay: false }, 'en'),
  ];
  const left = filterGames(both, { ...allGames, trial: true });
  expect(left.map(({ name }) => name)).toEqual(['With trial']);
});
