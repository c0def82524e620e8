import { queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import { hotGamesParams, hotGamesPath, hotLanguage } from './home-calls.ts';
import type { components } from './schema.d.ts';
import { settingsQuery } from './system.ts';

/** A game as the server sends it. Other servers that implement the API may omit fields or use other names. */
export type WireGame = Partial<components['schemas']['CatalogueGame']> & { roomId?: string };

export type Game = {
  id: string;
  nodeId: string;
  name: string;
  /** The language of the name, which may differ from the app's. */
  language: Language;
  vendor: string;
  vendorName: string;
  category: string;
  image: string;
  /** Falls back to `image`. */
  smallImage: string;
  supportPlay: boolean;
  freePlay: boolean;
  html5: boolean;
  /** Used by the launcher of lotteries. */
  code: string;
  group: string;
  lotteryMode: string;
  classes: readonly string[];
  /** The minimum stake in minor units, and the number of lines. 0 if unknown. */
  minBet: number;
  minLines: number;
  hot: boolean;
  /** The vendor is under maintenance: the game is shown but does not start. */
  maintenance: boolean;
  /** The game is shown but does not start yet. */
  notOpen: boolean;
};

/** Reads a game with any of the field names that servers use. */
export function readGame(game: WireGame, language: Language): Game {
  const vendor = game.vassalage || game.vendorCode || '';
  const image = game.iconUrl || game.showIcon || game.mobileLargeIcon || '';
  return {
    id: game.gameId || game.roomId || '',
    nodeId: game.nodeId || '',
    name: game.nodeName || game.gameName || '',
    language,
    vendor,
    vendorName: game.displayName || vendor,
    category: game.gameCategory || game.gameType || '',
    image,
    smallImage: game.mobileSmallIcon || image,
    supportPlay: game.supportPlay ?? true,
    freePlay: game.freeplay ?? false,
    html5: game.isGameH5 ?? true,
    code: game.gameCode || '',
    group: game.gameGroupId || '',
    lotteryMode: game.lottoMode || '',
    classes: game.gameClassifyNew ?? [],
    minBet: game.minBet ?? 0,
    minLines: game.minLine ?? 0,
    hot: game.hot ?? false,
    maintenance: game.maintenance ?? false,
    notOpen: game.notOpen ?? false,
  };
}

/** Reads the games of a response. Drops games without an id, because they could not be starred or started. */
export function readGames(
  games: readonly WireGame[] | null | undefined,
  language: Language,
): Game[] {
  return (games ?? []).filter((game) => game.nodeId).map((game) => readGame(game, language));
}

export const hotGamesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['games', 'hot', language],
    queryFn: async ({ client: cache }): Promise<Game[]> => {
      const { merchantCode } = await cache.ensureQueryData(settingsQuery);
      const nameLanguage = hotLanguage(language);
      const query = hotGamesParams(merchantCode, language);
      const { list } = await value(client.GET(hotGamesPath, { params: { query } }));
      return readGames(list, nameLanguage);
    },
    staleTime: 60_000,
  });

/** The vendors as the server sends them. Home only waits for them. vendors.ts parses them. */
export const wireVendorsQuery = queryOptions({
  queryKey: ['games', 'vendors'],
  queryFn: async ({ client: cache }) => {
    const { merchantCode } = await cache.ensureQueryData(settingsQuery);
    const query = { merchantCode };
    return value(client.GET('/wps/relay/GCSGAME_newGameVendor', { params: { query } }));
  },
  staleTime: 5 * 60_000,
});
