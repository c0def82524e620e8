import { completeAll } from '../lib/complete.ts';
import { wireVendorsQuery } from './catalogue.ts';
import type { components } from './schema.d.ts';

type WireVendor = components['schemas']['CatalogueVendor'];

export type Vendor = {
  code: string;
  name: string;
  categories: string[];
  /** Empty if there is none. */
  icon: string;
  sorting: number;
  /** Its games are shown but do not start. */
  maintenance: boolean;
};

const defaults: Partial<WireVendor> = {
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
 * Returns the vendors in display order. Some servers send groups instead: a row without a code names the vendors of a group, and a
 * vendor in two groups serves both.
 */
export function readVendors(list: readonly Partial<WireVendor>[] | null | undefined): Vendor[] {
  const vendors = new Map<string, Vendor>();
  for (const row of completeAll<WireVendor>(defaults, list)) {
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
