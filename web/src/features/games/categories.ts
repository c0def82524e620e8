import { msg } from '@lingui/core/macro';

import * as categoryCode from '../../api/categories.gen.ts';
import { categories, type Category } from '../../api/category-table.ts';
import * as vendorCode from '../../api/vendor-codes.gen.ts';
import type { Vendor } from '../../api/vendors.ts';
import { artUrl } from '../../lib/art.ts';

const { all, hot, favourites, jl, esports } = categoryCode;

/** As a category, also one that only a gateway knows: it has its code for a name. */
export type Shown = Omit<Category, 'name'> & { name: Category['name'] | string };

const allName = msg`All`;

/** Categories in the order in which they are offered; all of them last. */
const known: readonly Category[] = [...categories, { code: all, art: 'all', name: allName }];

/** Categories of the specification that are screens of their own. */
const elsewhere: Readonly<Record<string, string>> = {
  [categoryCode.liveStreams]: '/m/liveStream',
  [categoryCode.home]: '/m/home',
  [categoryCode.promotions]: '/m/activity',
};

/** The screen that a category is, where it is no list of games. */
export function screenOf(code: string): string | undefined {
  return Object.hasOwn(elsewhere, code) ? elsewhere[code] : undefined;
}

/** The only providers that esports are divided by. */
const esportsProviders: readonly string[] = [vendorCode.imes, vendorCode.sv3, vendorCode.av];

/** Categories whose list can be narrowed to a vendor. */
const byVendor: ReadonlySet<string> = new Set([
  categoryCode.fishing,
  categoryCode.live,
  categoryCode.slots,
  categoryCode.cards,
  jl,
]);

/** Which of the three kinds of lists shows a category: the home game view, one by vendor, one of third parties. */
export type ListKind = 'home' | 'vendor' | 'thirdParty';

export function kindOf(code: string): ListKind {
  if (code === hot || code === favourites) return 'home';
  return byVendor.has(code) ? 'vendor' : 'thirdParty';
}

export const categoryOf = (code: string): Shown =>
  known.find((category) => category.code === code) ?? { code, art: 'all', name: code };

/** Whether a category is one that this app knows, whoever serves it. */
export const isCategory = (code: string): boolean => known.some((each) => each.code === code);

/** All categories that vendors serve, in order; those that only a gateway knows come last. */
export function servedBy(vendors: readonly Vendor[]): Shown[] {
  const codes = new Set(vendors.flatMap((vendor) => vendor.categories));
  const first = known.filter(({ code }) => codes.has(code));
  const others = [...codes].filter((code) => !isCategory(code) && !screenOf(code));
  return [...first, ...others.map(categoryOf)];
}

/** One entry of the lobby's menu: a category, or one provider of esports. */
export type Entry = Shown & { vendor?: string };

/** The lobby's menu: what leads, what vendors serve, and esports by provider as a group. */
export function menuOf(vendors: readonly Vendor[]): { entries: Entry[]; esports: Entry[] } {
  const leading = [hot, favourites, jl].map(categoryOf);
  const served = servedBy(vendors).filter(
    ({ code }) => code !== esports && !leading.some((each) => each.code === code),
  );
  return { entries: [...leading, ...served], esports: esportsOf(vendors) };
}

function esportsOf(vendors: readonly Vendor[]): Entry[] {
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
  // What others serve has no entry of its own: it is found among all esports.
  const others = serving.some(({ code }) => !esportsProviders.includes(code));
  return others ? [...providers, { ...categoryOf(esports), name: allName }] : providers;
}

/** The picture of a category. */
export const categoryArt = (category: Shown): string => artUrl(`icons/${category.art}.webp`);
