import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { homeIcons } from './pwa.ts';

const source = (name: string) => readFileSync(join(import.meta.dirname, '../src', name), 'utf8');

test('homeIcons are exactly the pictures of home’s categories and shortcuts', () => {
  const named = [
    ...`${source('api/category-table.ts')}${source('features/home/QuickMenu.tsx')}`.matchAll(
      /art: '([^']+)'/g,
    ),
  ];
  expect(new Set(homeIcons)).toEqual(new Set(named.map(([, name]) => name)));
});
