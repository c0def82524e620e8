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
