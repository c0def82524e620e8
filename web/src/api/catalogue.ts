import { queryOptions } from '@tanstack/react-query';

import { wireLanguage, type Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import type { components } from './schema.d.ts';
import { settingsQuery } from './system.ts';

type WireGame = Partial<components['schemas']['CatalogueGame']> & { roomId?: string };

/** Gateways of this family keep their lists of games in three languages only. */
const listLanguage = (language: Language): Language => (language === 'ur' ? 'en' : language);

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
};

/** Reads a game, whichever of its alternative names the gateway used. */
export function readGame(game: WireGame, language: Language): Game {
  const vendor = game.vassalage || game.vendorCode || '';
  return {
    id: game.gameId || game.roomId || '',
    nodeId: game.nodeId || '',
    name: game.nodeName || game.gameName || '',
    language,
    vendor,
    vendorName: game.displayName || vendor,
    category: game.gameCategory || game.gameType || '',
    image: game.iconUrl || game.showIcon || '',
  };
}

export const hotGamesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['games', 'hot', language],
    queryFn: async ({ client: cache }): Promise<Game[]> => {
      const { merchantCode } = await cache.ensureQueryData(settingsQuery);
      const query = {
        merchantCode,
        isPlatform: '2',
        language: wireLanguage(listLanguage(language)),
        platform: 'html5',
      };
      const { list } = await value(
        client.GET('/wps/relay/GCSGAME_hotGamesV2', { params: { query } }),
      );
      return list.map((game) => readGame(game, listLanguage(language)));
    },
    staleTime: 60_000,
  });

export type Vendor = { code: string; name: string; categories: string[]; sorting: number };

export const vendorsQuery = queryOptions({
  queryKey: ['games', 'vendors'],
  queryFn: async (): Promise<Vendor[]> => {
    const vendors = await value(client.GET('/wps/relay/GCSGAME_newGameVendor'));
    return vendors
      .map((vendor) => ({
        code: vendor.vendorCode,
        name: vendor.displayName || vendor.vendorCode,
        categories: vendor.gameTypes,
        sorting: vendor.vendorSorting,
      }))
      .toSorted((a, b) => a.sorting - b.sorting);
  },
  staleTime: 5 * 60_000,
});
