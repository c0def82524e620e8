import { expect, test } from 'vitest';

import served from '../../../internal/game/house/round/games.json';
import { themes } from './themes.ts';

test('GL-07 (games) every slot has a theme, and every theme has slots of different kinds', () => {
  const kinds = Object.values(served);
  const named = kinds.flatMap(({ games }) => Object.values(games));
  const games = [...named, ...kinds.map(({ other }) => other)];
  const usedThemes = new Set(games.map(({ theme }) => theme));
  expect([...usedThemes].toSorted()).toEqual(Object.keys(themes).toSorted());
  for (const theme of usedThemes) {
    const engines = new Set(
      games.filter((game) => game.theme === theme).map(({ engine }) => engine),
    );
    expect(engines.size).toBeGreaterThan(1);
  }
});
