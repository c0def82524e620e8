// What a list of games shows stands in its address, so that a step back, a reload and a link find it again.
import { favourites, hot } from '../../api/categories.gen.ts';
import { allGames, gameSorts, type GameFilter, type GameSort } from '../../api/game-list.ts';

/** No game's name is longer, in characters; the server takes no more. */
export const longestName = 64;
/** No list is narrowed to more vendors or classes than this. */
const mostCodes = 20;

/** All games, the hot ones, or the member's own. */
type View = 'all' | 'hot' | 'fav';

export type List = { view: View; filter: GameFilter };

const views: readonly View[] = ['hot', 'fav'];
/** Categories that are views: no server lists the one, and the other comes whole. */
const viewOfCategory: ReadonlyMap<string, View> = new Map([
  [hot, 'hot'],
  [favourites, 'fav'],
]);

export function readList(query: URLSearchParams): List {
  const category = codes(query.get('gameType'))[0] ?? allGames.category;
  const named = viewOfCategory.get(category);
  return {
    view: views.find((view) => view === query.get('type')) ?? named ?? 'all',
    filter: {
      category: named ? allGames.category : category,
      vendors: codes(query.get('vassalage')),
      name: typed(query.get('gameName') ?? ''),
      classes: codes(query.get('gameClassify')),
      minBet: whole(query.get('minBet')),
      minLines: whole(query.get('minLine')),
      sort: gameSorts.find((sort: GameSort) => sort === query.get('sort')) ?? allGames.sort,
    },
  };
}

export const listHome = '/m/gameList';

export function listPath({ view, filter }: List): string {
  const query = new URLSearchParams();
  const put = (name: string, value: string | number, otherwise: string | number) => {
    if (value !== otherwise) query.set(name, String(value));
  };
  put('type', view, 'all');
  put('gameType', filter.category, allGames.category);
  put('vassalage', filter.vendors.join(','), '');
  put('gameName', filter.name, '');
  put('gameClassify', filter.classes.join(','), '');
  put('minBet', filter.minBet, 0);
  put('minLine', filter.minLines, 0);
  put('sort', filter.sort, allGames.sort);
  const text = query.toString().replaceAll('%2C', ',');
  return text ? `${listHome}?${text}` : listHome;
}

/** How many filters are set that a sheet can set. */
export function filterCount({ vendors, classes, minBet, minLines }: GameFilter): number {
  return vendors.length + classes.length + (minBet > 0 ? 1 : 0) + (minLines > 0 ? 1 : 0);
}

/** The same list without what the sheet can set. */
export function unfiltered(filter: GameFilter): GameFilter {
  return { ...filter, vendors: [], classes: [], minBet: 0, minLines: 0 };
}

/** Codes as an address lists them, each once. What no code can be is left out. */
export function codes(text: string | null): string[] {
  const all = (text ?? '').split(',').map((code) => code.trim());
  return [...new Set(all.filter((code) => /^[\w-]{1,40}$/.test(code)))].slice(0, mostCodes);
}

/** A name as somebody typed it, cut between characters. What no server takes counts as not typed. */
function typed(text: string): string {
  if (text.includes('\0')) return '';
  return Array.from(text.trim()).slice(0, longestName).join('').trim();
}

/** A whole number that is not negative; anything else counts as none. */
function whole(text: string | null): number {
  return /^\d{1,12}$/.test(text ?? '') ? Number(text) : 0;
}
