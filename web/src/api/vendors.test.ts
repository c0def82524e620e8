// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { readVendors } from './vendors.ts';

const brief = (vendors: ReturnType<typeof readVendors>) =>
  vendors.map(({ code, name, categories }) => `${code} ${name}: ${categories.join(' ')}`);

test('EN-13 in part: reads vendors with codes and names, sorted by vendorSorting', () => {
  const read = readVendors([
    {
      vendorCode: 'PG',
      displayName: 'Paper Garden',
      vendorNames: ['Paper'],
      accountTypeName: 'RNG',
      gameTypes: ['RNG', 'PVP'],
      vendorSorting: 20,
    },
    { vendorCode: 'JL', vendorNames: ['Jade Lantern'], accountTypeName: 'FISH', vendorSorting: 10 },
    { vendorCode: 'AV', vendorSorting: 30 },
  ]);
  expect(brief(read)).toEqual(['JL Jade Lantern: FISH', 'PG Paper Garden: RNG PVP', 'AV AV: ']);
});

test('EN-13 in part: rows without a code are the groups RNG and PVP with their vendors', () => {
  const read = readVendors([
    { accountTypeName: 'PVP', vendorNames: ['JL', ''], vendorSorting: 3 },
    { accountTypeName: 'RNG', vendorNames: ['PG', 'JL'], vendorSorting: 1 },
  ]);
  expect(brief(read)).toEqual(['PG PG: RNG', 'JL JL: PVP RNG']);
  expect(readVendors(null)).toEqual([]);
});
