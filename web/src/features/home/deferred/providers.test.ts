import { expect, test } from 'vitest';

import { footerOrder } from './providers.ts';

const vendors = (codes: string) =>
  codes.split(' ').map((code, sorting) => ({
    code,
    name: code,
    categories: [],
    icon: '',
    sorting,
    maintenance: false,
  }));
const order = (codes: string) =>
  footerOrder(vendors(codes))
    .map((vendor) => vendor.code)
    .join(' ');

test('the leading four come first in a fixed order, and TCG_SEA is omitted', () => {
  expect(order('AV JL TCG_SEA SV3 FC PG IMES EG3')).toBe('EG3 PG FC JL AV SV3 IMES');
});

test('missing leading vendors are skipped', () => {
  expect(order('SV3 JL AV')).toBe('JL SV3 AV');
  expect(order('TCG_SEA')).toBe('');
});
