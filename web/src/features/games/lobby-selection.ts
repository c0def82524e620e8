// The URL stores the lobby's category and vendor.
import { useQuery } from '@tanstack/react-query';

import * as categoryCode from '../../api/categories.gen.ts';
import { allGames, type GameFilter } from '../../api/game-list.ts';
import { lobbyPath } from '../../api/launch.ts';
import { statusQuery } from '../../api/system.ts';
import * as vendorCode from '../../api/vendor-codes.gen.ts';
import { vendorsQuery, type Vendor } from '../../api/vendors.ts';
import { useAddressQuery } from '../../lib/router.tsx';
import { isCategory, screenPath } from './categories.ts';
import { readCodes, type List } from './filter-url.ts';

export type LobbySelection = { category: string; vendor: string };

const { hot, favourites, fastLottery } = categoryCode;

const lobbyHome = '/m/game';

export function selectionPath({
  category,
  vendor = '',
}: {
  category: string;
  vendor?: string;
}): string {
  const redirect = redirectOf(category);
  if (redirect) return redirect;
  const query = new URLSearchParams({ category });
  if (vendor) query.set('vassalage', vendor);
  return `${lobbyHome}?${query.toString()}`;
}

/** Returns the path of a category without a lobby list: fast lottery launches, others have screens. */
function redirectOf(category: string): string | null {
  if (category === fastLottery) return lobbyPath(vendorCode.fastLottery);
  return screenPath(category) ?? null;
}

/** Reads the selection from the URL, with the server's category as the default. */
export function useLobbySelection(): { selection: LobbySelection; redirect: string | null } {
  const query = useAddressQuery();
  const { data: status } = useQuery(statusQuery);
  const { data: vendors = [] } = useQuery(vendorsQuery);
  const requested = query.get('category') ?? '';
  const redirect = redirectOf(requested);
  const first = status?.lobbyCategory ?? '';
  const category = [requested, first].find((code) => isOffered(code, vendors)) ?? hot;
  const vendor = category === requested ? (readCodes(query.get('vassalage'))[0] ?? '') : '';
  return { selection: { category, vendor }, redirect };
}

function isOffered(code: string, vendors: readonly Vendor[]): boolean {
  if (redirectOf(code)) return false;
  return isCategory(code) || vendors.some((vendor) => vendor.categories.includes(code));
}

export function listOfSelection({ category, vendor }: LobbySelection): List {
  if (category === hot) return { view: 'hot', filter: allGames };
  if (category === favourites) return { view: 'fav', filter: allGames };
  const filter: GameFilter = { ...allGames, category, vendors: vendor ? [vendor] : [] };
  return { view: 'all', filter };
}
