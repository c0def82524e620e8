import type { Game } from '../../api/catalogue.ts';
import { isInCategory } from '../../api/category-table.ts';
import type { GameFilter } from '../../api/game-list.ts';
import { matches } from './match.ts';

/** Filters and sorts a complete list by the server's rules. */
export function filterGames(games: readonly Game[], filter: GameFilter): Game[] {
  const { category, vendors, classes, minBet, minLines, trial } = filter;
  const left = games.filter(
    (game) =>
      isInCategory(game, category) &&
      (vendors.length === 0 || vendors.includes(game.vendor)) &&
      (classes.length === 0 || classes.some((each) => game.classes.includes(each))) &&
      (minBet === 0 || game.minBet <= minBet) &&
      game.minLines >= minLines &&
      (!trial || game.freePlay) &&
      matches(game.name, filter.name),
  );
  if (filter.sort === 'name') {
    return left.toSorted((a, b) => a.name.localeCompare(b.name, a.language));
  }
  if (filter.sort === 'new') return left.toSorted(byNewest);
  return left;
}

/** New games first, then the highest id, compared as numbers. */
function byNewest(a: Game, b: Game): number {
  return (
    Number(isNew(b)) - Number(isNew(a)) ||
    b.nodeId.length - a.nodeId.length ||
    (b.nodeId > a.nodeId ? 1 : -1)
  );
}

export const isNew = (game: Game): boolean => game.classes.includes('new');
