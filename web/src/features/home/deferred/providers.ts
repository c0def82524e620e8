import { eg3, fc, jl, pg, sea } from '../../../api/vendor-codes.gen.ts';
import type { Vendor } from '../../../api/vendors.ts';

const leading: readonly string[] = [eg3, pg, fc, jl];
const notInRest: ReadonlySet<string> = new Set([...leading, sea]);

export function footerOrder(vendors: readonly Vendor[]): Vendor[] {
  const first = leading.flatMap((code) => vendors.find((vendor) => vendor.code === code) ?? []);
  return [...first, ...vendors.filter((vendor) => !notInRest.has(vendor.code))];
}
