import { queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import { hotGamesParams, hotGamesPath, hotLanguage } from './home-calls.ts';
import type { components } from './schema.d.ts';
import { settingsQuery } from './system.ts';

/** A game of any gateway of this family: some leave parts out, some call them otherwise. */
export type WireGame = Partial<components['schemas']['CatalogueGame']> & { roomId?: string };

/** A game as this app speaks of it. */
export type Game = {
  id: string;
  nodeId: string;
  name: string;
  /** What the name is written in, which need not be what the app speaks. */
  language: Language;
  vendor: string;
  vendorName: string;
  category: string;
  image: string;
  /** The picture for small places, where the gateway has one of its own. */
  smallImage: string;
  supportPlay: boolean;
  freePlay: boolean;
  html5: boolean;
  /** What a lottery's launcher asks for. */
  code: string;
  group: string;
  lotteryMode: string;
  classes: readonly string[];
  /** The smallest stake, in minor units, and the number of lines; 0 where it is not known. */
  minBet: number;
  minLines: number;
  hot: boolean;
  /** The vendor is being worked on: the game is shown and does not start. */
  maintenance: boolean;
  /** Nobody serves games of its kind yet: the game is shown and does not start. */
  notOpen: boolean;
};

/** Reads a game, whichever of its alternative names the gateway used. */
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

/** The games of an answer that can be shown; one without its id could neither be starred nor started. */
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
      const written = hotLanguage(language);
      const query = hotGamesParams(merchantCode, language);
      const { list } = await value(client.GET(hotGamesPath, { params: { query } }));
      return readGames(list, written);
    },
    staleTime: 60_000,
  });

/** What a gateway says of its vendors; home only waits for it, so that it is read elsewhere. */
export const wireVendorsQuery = queryOptions({
  queryKey: ['games', 'vendors'],
  queryFn: async ({ client: cache }) => {
    const { merchantCode } = await cache.ensureQueryData(settingsQuery);
    const query = { merchantCode };
    return value(client.GET('/wps/relay/GCSGAME_newGameVendor', { params: { query } }));
  },
  staleTime: 5 * 60_000,
});
