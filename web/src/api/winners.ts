import { queryOptions } from '@tanstack/react-query';

import { wireLanguage, type Language } from '../i18n/languages.ts';
import { currencyOf, type Currency } from '../lib/currency.ts';
import { readGame, wireVendorsQuery, type Game } from './catalogue.ts';
import { all } from './categories.gen.ts';
import { client, value } from './client.ts';
import type { components } from './schema.d.ts';
import { settingsQuery, type Settings } from './system.ts';
import { readVendors, type Vendor } from './vendors.ts';

type WireWinner = components['schemas']['CatalogueWinner'];

/** A win on the winner board. The server masks the name. */
export type Winner = {
  /** The row's index: a player may win the same amount twice. */
  key: string;
  name: string;
  game: Game;
  /** Decimal text. */
  amount: string;
  currency: Currency;
  /** The win is simulated. It must have a caption that says so. */
  simulated: boolean;
};

const maxWinners = 100;

export const winnersQuery = (language: Language) =>
  queryOptions({
    queryKey: ['games', 'winners', language],
    queryFn: async ({ client: cache }): Promise<Winner[]> => {
      const [settings, vendors] = await Promise.all([
        cache.ensureQueryData(settingsQuery),
        // If the vendors cannot be loaded, their codes are shown.
        cache.ensureQueryData(wireVendorsQuery).catch(() => null),
      ]);
      const query = { gameCategory: all, language: wireLanguage(language), limitNum: maxWinners };
      const { list } = await value(
        client.GET('/wps/relay/GCSGAME_getRankList', { params: { query } }),
      );
      const byCode = new Map(readVendors(vendors).map((vendor) => [vendor.code, vendor]));
      return (list ?? [])
        .filter(({ vo }) => vo)
        .slice(0, maxWinners)
        .map((row, index) => read(row, { index, settings, language, vendors: byCode }));
    },
    staleTime: 60_000,
  });

type Context = {
  index: number;
  settings: Settings;
  language: Language;
  vendors: ReadonlyMap<string, Vendor>;
};

function read({ simulated, vo }: WireWinner, context: Context): Winner {
  const { index, settings, language, vendors } = context;
  const vendor = vendors.get(vo.vendor);
  return {
    key: String(index),
    name: vo.customerName,
    game: readGame(
      {
        gameId: vo.gameId,
        nodeId: vo.nodeId,
        nodeName: vo.gameName,
        vassalage: vo.vendor,
        ...(vendor && { displayName: vendor.name, maintenance: vendor.maintenance }),
        gameCategory: vo.gameCategory,
        iconUrl: vo.iconUrl,
        ...(vo.notOpen && { notOpen: true }),
      },
      language,
    ),
    amount: String(vo.winAmount),
    currency: currencyOfRow(vo, settings),
    // A row counts as simulated unless it is marked as real.
    simulated: simulated ?? true,
  };
}

/** Puts the symbol after the amount only if the row says so. */
function currencyOfRow(
  { currencySymbol, position }: WireWinner['vo'],
  settings: Settings,
): Currency {
  const { code, symbol, pattern } = settings.currency;
  const known = currencySymbol === symbol || !currencySymbol;
  const base = known ? { code, symbol, pattern } : currencyOf('', currencySymbol);
  return { ...base, position: position === 'B' ? 'B' : 'F' };
}
