import { completeAll } from '../lib/complete.ts';
import { wireVendorsQuery } from './catalogue.ts';
import type { components } from './schema.d.ts';

type WireVendor = components['schemas']['CatalogueVendor'];

export type Vendor = {
  code: string;
  name: string;
  categories: string[];
  /** Its logo, where it has one. */
  icon: string;
  sorting: number;
  /** Its games are shown and do not start. */
  maintenance: boolean;
};

const unknown: Partial<WireVendor> = {
  vendorCode: '',
  displayName: '',
  accountTypeName: '',
  vendorNames: [],
  gameTypes: [],
  iconUrl: '',
  vendorSorting: 0,
  maintenance: false,
};

/**
 * The vendors of an answer, in their order. A gateway need not give each its code: then a row is a group, which the
 * vendors that it names serve, and who stands in two groups is one vendor that serves both.
 */
export function readVendors(list: readonly Partial<WireVendor>[] | null | undefined): Vendor[] {
  const vendors = new Map<string, Vendor>();
  for (const row of completeAll<WireVendor>(unknown, list)) {
    const codes = row.vendorCode ? [row.vendorCode] : row.vendorNames;
    const groups = row.gameTypes.length > 0 ? row.gameTypes : [row.accountTypeName].filter(Boolean);
    for (const code of codes.filter(Boolean)) {
      const known = vendors.get(code);
      vendors.set(code, {
        code,
        name: row.displayName || (row.vendorCode && row.vendorNames[0]) || code,
        categories: [...new Set([...(known?.categories ?? []), ...groups])],
        icon: known?.icon || row.iconUrl,
        sorting: known?.sorting ?? row.vendorSorting,
        maintenance: row.maintenance,
      });
    }
  }
  return [...vendors.values()].toSorted((a, b) => a.sorting - b.sorting);
}

export const vendorsQuery = { ...wireVendorsQuery, select: readVendors };
