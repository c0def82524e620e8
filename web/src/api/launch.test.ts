// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { launchPath } from './launch.ts';

const game = { category: 'LOTT', id: 'mb', nodeId: '7', supportPlay: false };

test.each(['TCG_LOTTO_VN', 'TCG_SEA'])('GL-01 %s opens the lottery lobby', (vendor) => {
  expect(launchPath({ ...game, vendor })).toBe('/m/lottery');
});

test.each(['LOTT', 'ELOTT'])(
  'GL-02, KO-08 in part: %s goes to the launcher with code lobby',
  (vendor) => {
    expect(launchPath({ ...game, vendor })).toBe('/m/launchGame?code=lobby');
  },
);

test('GL-03 part: other games open with category, vendor, game, node and play support', () => {
  const path = launchPath({
    vendor: 'J L&',
    category: 'RNG',
    id: 'rng-1',
    nodeId: '1001',
    supportPlay: true,
  });
  expect([...new URL(path, location.origin).searchParams]).toEqual([
    ['vendor', 'J L&'],
    ['gameCategory', 'RNG'],
    ['gameId', 'rng-1'],
    ['nodeId', '1001'],
    ['supportPlay', 'true'],
  ]);
});
