import { msg } from '@lingui/core/macro';

import * as categoryCode from '../../api/categories.gen.ts';
import { categories, type Category } from '../../api/category-table.ts';
import * as vendorCode from '../../api/vendor-codes.gen.ts';
import type { Vendor } from '../../api/vendors.ts';
import { artUrl } from '../../lib/art.ts';

const { all, hot, favourites, jl, esports } = categoryCode;

/** A category. If only the server knows it, its code is its name. */
export type AnyCategory = Omit<Category, 'name'> & { name: Category['name'] | string };

const allName = msg`All`;

/** In display order. */
const known: readonly Category[] = [...categories, { code: all, art: 'all', name: allName }];

/** Categories of the specification with separate screens. */
const screenPaths: Readonly<Record<string, string>> = {
  [categoryCode.liveStreams]: '/m/liveStream',
  [categoryCode.home]: '/m/home',
  [categoryCode.promotions]: '/m/activity',
};

export function screenPath(code: string): string | undefined {
  return Object.hasOwn(screenPaths, code) ? screenPaths[code] : undefined;
}

/** The esports providers with separate menu entries. */
const esportsProviders: readonly string[] = [vendorCode.imes, vendorCode.sv3, vendorCode.av];

const categoriesByVendor: ReadonlySet<string> = new Set([
  categoryCode.fishing,
  categoryCode.live,
  categoryCode.slots,
  categoryCode.cards,
  jl,
]);

/** The specification's three kinds of lists. */
export type ListKind = 'home' | 'vendor' | 'thirdParty';

export function listKind(code: string): ListKind {
  if (code === hot || code === favourites) return 'home';
  return categoriesByVendor.has(code) ? 'vendor' : 'thirdParty';
}

export const categoryOf = (code: string): AnyCategory =>
  known.find((category) => category.code === code) ?? { code, art: 'all', name: code };

/** Reports whether the app knows a category, whether or not a vendor serves it. */
export const isCategory = (code: string): boolean => known.some((each) => each.code === code);

/** Returns the categories that vendors serve, unknown ones last. */
export function servedCategories(vendors: readonly Vendor[]): AnyCategory[] {
  const codes = new Set(vendors.flatMap((vendor) => vendor.categories));
  const first = known.filter(({ code }) => codes.has(code));
  const others = [...codes].filter((code) => !isCategory(code) && !screenPath(code));
  return [...first, ...others.map(categoryOf)];
}

export type MenuEntry = AnyCategory & { vendor?: string };

export function lobbyMenu(vendors: readonly Vendor[]): {
  entries: MenuEntry[];
  esports: MenuEntry[];
} {
  const leading = [hot, favourites, jl].map(categoryOf);
  const served = servedCategories(vendors).filter(
    ({ code }) => code !== esports && !leading.some((each) => each.code === code),
  );
  return { entries: [...leading, ...served], esports: esportsOf(vendors) };
}

function esportsOf(vendors: readonly Vendor[]): MenuEntry[] {
  const art: Record<string, string> = {
    [vendorCode.imes]: 'gamepad',
    [vendorCode.sv3]: 'trophy',
    [vendorCode.av]: 'crown',
  };
  const serving = vendors.filter(({ categories: served }) => served.includes(esports));
  const providers = esportsProviders.flatMap((code) => {
    const vendor = serving.find((each) => each.code === code);
    return vendor ? [{ code: esports, vendor: code, art: art[code]!, name: vendor.name }] : [];
  });
  // Other providers share one entry for all esports.
  const others = serving.some(({ code }) => !esportsProviders.includes(code));
  return others ? [...providers, { ...categoryOf(esports), name: allName }] : providers;
}

export const categoryArt = (category: AnyCategory): string => artUrl(`icons/${category.art}.webp`);
