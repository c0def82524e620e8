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

/** A win on the board. The name is masked by the server. */
export type Winner = {
  /** Its place on the board: one player may win the same twice. */
  key: string;
  name: string;
  game: Game;
  /** Decimal text. */
  amount: string;
  currency: Currency;
  /** It is made up, for show: whatever shows it says so. */
  simulated: boolean;
};

/** The board never has more. */
const most = 100;

export const winnersQuery = (language: Language) =>
  queryOptions({
    queryKey: ['games', 'winners', language],
    queryFn: async ({ client: cache }): Promise<Winner[]> => {
      const [settings, vendors] = await Promise.all([
        cache.ensureQueryData(settingsQuery),
        // Without their names vendors go by their codes.
        cache.ensureQueryData(wireVendorsQuery).catch(() => null),
      ]);
      const query = { gameCategory: all, language: wireLanguage(language), limitNum: most };
      const { list } = await value(
        client.GET('/wps/relay/GCSGAME_getRankList', { params: { query } }),
      );
      const known = new Map(readVendors(vendors).map((vendor) => [vendor.code, vendor]));
      return (list ?? [])
        .filter(({ vo }) => vo)
        .slice(0, most)
        .map((row, place) => read(row, { place, settings, language, vendors: known }));
    },
    staleTime: 60_000,
  });

type Around = {
  place: number;
  settings: Settings;
  language: Language;
  vendors: ReadonlyMap<string, Vendor>;
};

function read({ simulated, vo }: WireWinner, around: Around): Winner {
  const { place, settings, language, vendors } = around;
  const vendor = vendors.get(vo.vendor);
  return {
    key: String(place),
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
    // A row that does not say that it is real is an illustration.
    simulated: simulated !== false,
  };
}

/** Behind the amount only where the row says so; in front where it says so, and where it says nothing. */
function currencyOfRow(
  { currencySymbol, position }: WireWinner['vo'],
  settings: Settings,
): Currency {
  const { code, symbol, pattern } = settings.currency;
  const known = currencySymbol === symbol || !currencySymbol;
  const base = known ? { code, symbol, pattern } : currencyOf('', currencySymbol);
  return { ...base, position: position === 'B' ? 'B' : 'F' };
}
