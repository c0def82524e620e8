import { expect, test } from 'vitest';

import { iconNames } from '../src/ui/icons.ts';
import { mirroredIcons } from '../src/ui/mirroredIcons.ts';
import { buildSprite, readSprite } from './icons.ts';

test('the sprite contains exactly the listed icons', () => {
  expect(readSprite(), 'run `npm run icons`').toBe(buildSprite());
});

test('names are sorted and unique, and every pointing icon is listed', () => {
  expect([...iconNames]).toEqual([...new Set(iconNames)].toSorted());
  expect(iconNames).toEqual(expect.arrayContaining([...mirroredIcons]));
});
