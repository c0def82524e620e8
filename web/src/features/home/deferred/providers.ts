import { eg3, fc, jl, pg, sea } from '../../../api/vendor-codes.gen.ts';
import type { Vendor } from '../../../api/vendors.ts';

const leading: readonly string[] = [eg3, pg, fc, jl];
/** Left out of the ordinary list; those of them that lead stand before it. */
const apart: ReadonlySet<string> = new Set([...leading, sea]);

/** The providers in the order of home's footer. */
export function footerOrder(vendors: readonly Vendor[]): Vendor[] {
  const first = leading.flatMap((code) => vendors.find((vendor) => vendor.code === code) ?? []);
  return [...first, ...vendors.filter((vendor) => !apart.has(vendor.code))];
}
