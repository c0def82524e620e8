// Where one is in the lobby: a category, perhaps narrowed to a vendor. It stands in the address.
import { useQuery } from '@tanstack/react-query';

import * as categoryCode from '../../api/categories.gen.ts';
import { allGames, type GameFilter } from '../../api/game-list.ts';
import { lobbyPath } from '../../api/launch.ts';
import { statusQuery } from '../../api/system.ts';
import * as vendorCode from '../../api/vendor-codes.gen.ts';
import { vendorsQuery, type Vendor } from '../../api/vendors.ts';
import { useAddressQuery } from '../../lib/router.tsx';
import { codes, type List } from './address.ts';
import { isCategory, screenOf } from './categories.ts';

export type Place = { category: string; vendor: string };

const { hot, favourites, fastLottery } = categoryCode;

const lobbyHome = '/m/game';

export function placePath({
  category,
  vendor = '',
}: {
  category: string;
  vendor?: string;
}): string {
  const leads = wayOut(category);
  if (leads) return leads;
  const query = new URLSearchParams({ category });
  if (vendor) query.set('vassalage', vendor);
  return `${lobbyHome}?${query.toString()}`;
}

/** Where a category leads that the lobby has no list of: fast lottery starts, others are screens. */
function wayOut(category: string): string | null {
  if (category === fastLottery) return lobbyPath(vendorCode.fastLottery);
  return screenOf(category) ?? null;
}

/** Where the address says one is, or the server where it says nothing that is known; or the way out of here. */
export function usePlace(): { place: Place; leads: string | null } {
  const query = useAddressQuery();
  const { data: status } = useQuery(statusQuery);
  const { data: vendors = [] } = useQuery(vendorsQuery);
  const asked = query.get('category') ?? '';
  const leads = wayOut(asked);
  const first = status?.lobbyCategory ?? '';
  const category = [asked, first].find((code) => isOffered(code, vendors)) ?? hot;
  const vendor = category === asked ? (codes(query.get('vassalage'))[0] ?? '') : '';
  return { place: { category, vendor }, leads };
}

function isOffered(code: string, vendors: readonly Vendor[]): boolean {
  if (wayOut(code)) return false;
  return isCategory(code) || vendors.some((vendor) => vendor.categories.includes(code));
}

/** The list of games that stands at a place. */
export function listAt({ category, vendor }: Place): List {
  if (category === hot) return { view: 'hot', filter: allGames };
  if (category === favourites) return { view: 'fav', filter: allGames };
  const filter: GameFilter = { ...allGames, category, vendors: vendor ? [vendor] : [] };
  return { view: 'all', filter };
}
