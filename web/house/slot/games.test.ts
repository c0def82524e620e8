import { expect, test } from 'vitest';

import served from '../../../internal/game/house/round/games.json';
import { themes } from './themes.ts';

test('GL-07 (games) every game of reels has a look that is drawn, and every look a game', () => {
  const kinds = Object.values(served);
  const named = kinds.flatMap(({ games }) => Object.values(games));
  const games = [...named, ...kinds.map(({ other }) => other)];
  const worn = new Set(games.map(({ theme }) => theme));
  expect([...worn].toSorted()).toEqual(Object.keys(themes).toSorted());
  for (const theme of worn) {
    const engines = new Set(
      games.filter((game) => game.theme === theme).map(({ engine }) => engine),
    );
    // One look is worn by different machines.
    expect(engines.size).toBeGreaterThan(1);
  }
});
