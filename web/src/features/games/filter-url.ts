// The URL stores what a list of games shows, so that back, reload and links restore it.
import { favourites, hot } from '../../api/categories.gen.ts';
import { allGames, gameSorts, type GameFilter, type GameSort } from '../../api/game-list.ts';

/** The server's maximum, in characters. */
export const maxNameLength = 64;
/** Maximum number of vendors or classes in a filter. */
const maxCodes = 20;

type View = 'all' | 'hot' | 'fav';

export type List = { view: View; filter: GameFilter };

const views: readonly View[] = ['hot', 'fav'];
/** Categories that the game list API does not serve. */
const viewOfCategory: ReadonlyMap<string, View> = new Map([
  [hot, 'hot'],
  [favourites, 'fav'],
]);

export function readList(query: URLSearchParams): List {
  const category = readCodes(query.get('gameType'))[0] ?? allGames.category;
  const categoryView = viewOfCategory.get(category);
  return {
    view: views.find((view) => view === query.get('type')) ?? categoryView ?? 'all',
    filter: {
      category: categoryView ? allGames.category : category,
      vendors: readCodes(query.get('vassalage')),
      name: readName(query.get('gameName') ?? ''),
      classes: readCodes(query.get('gameClassify')),
      minBet: readWholeNumber(query.get('minBet')),
      minLines: readWholeNumber(query.get('minLine')),
      trial: query.get('freeplay') === '1',
      sort: gameSorts.find((sort: GameSort) => sort === query.get('sort')) ?? allGames.sort,
    },
  };
}

export const gameListPath = '/m/gameList';

export function listPath({ view, filter }: List): string {
  const query = new URLSearchParams();
  const put = (name: string, value: string | number, defaultValue: string | number) => {
    if (value !== defaultValue) query.set(name, String(value));
  };
  put('type', view, 'all');
  put('gameType', filter.category, allGames.category);
  put('vassalage', filter.vendors.join(','), '');
  put('gameName', filter.name, '');
  put('gameClassify', filter.classes.join(','), '');
  put('minBet', filter.minBet, 0);
  put('minLine', filter.minLines, 0);
  put('freeplay', filter.trial ? 1 : 0, 0);
  put('sort', filter.sort, allGames.sort);
  const text = query.toString().replaceAll('%2C', ',');
  return text ? `${gameListPath}?${text}` : gameListPath;
}

/** Counts the filters of the filter sheet. */
export function filterCount({ vendors, classes, minBet, minLines, trial }: GameFilter): number {
  const single = [minBet > 0, minLines > 0, trial].filter(Boolean);
  return vendors.length + classes.length + single.length;
}

/** Removes the filters of the filter sheet. */
export function unfiltered(filter: GameFilter): GameFilter {
  return { ...filter, vendors: [], classes: [], minBet: 0, minLines: 0, trial: false };
}

/** Reads a comma-separated list of codes. Drops duplicates and invalid codes. */
export function readCodes(text: string | null): string[] {
  const all = (text ?? '').split(',').map((code) => code.trim());
  return [...new Set(all.filter((code) => /^[\w-]{1,40}$/.test(code)))].slice(0, maxCodes);
}

/** Reads a search text, cut to whole characters. Returns '' for text that the server rejects. */
function readName(text: string): string {
  if (text.includes('\0')) return '';
  return Array.from(text.trim()).slice(0, maxNameLength).join('').trim();
}

/** Reads a whole number; 0 for anything else. */
function readWholeNumber(text: string | null): number {
  return /^\d{1,12}$/.test(text ?? '') ? Number(text) : 0;
}
