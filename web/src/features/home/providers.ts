import type { Vendor } from '../../api/catalogue.ts';

/** Left out of the ordinary list; those of them that lead stand before it. */
const apart: ReadonlySet<string> = new Set(['JL', 'FC', 'PG', 'EG3', 'TCG_SEA']);
const leading = ['EG3', 'PG', 'FC', 'JL'];

/** The providers in the order of home's footer. */
export function footerOrder(vendors: readonly Vendor[]): Vendor[] {
  const first = leading.flatMap((code) => vendors.find((vendor) => vendor.code === code) ?? []);
  return [...first, ...vendors.filter((vendor) => !apart.has(vendor.code))];
}
