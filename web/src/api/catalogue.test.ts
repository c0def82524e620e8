import { expect, test } from 'vitest';

import { readGame } from './catalogue.ts';

const game = {
  id: 'rng-001',
  nodeId: '7',
  name: 'Rồng Vàng',
  language: 'vi',
  vendor: 'JL',
  vendorName: 'Jade Lantern',
  category: 'RNG',
  image: '/m/art/tiles/rng-001.webp',
};

test('EN-06 adapter part: each alternative name is read', () => {
  const rest = { nodeId: '7', displayName: 'Jade Lantern' };
  expect(
    readGame(
      {
        ...rest,
        gameId: 'rng-001',
        nodeName: 'Rồng Vàng',
        vassalage: 'JL',
        gameCategory: 'RNG',
        iconUrl: '/m/art/tiles/rng-001.webp',
      },
      'vi',
    ),
  ).toEqual(game);
  expect(
    readGame(
      {
        ...rest,
        roomId: 'rng-001',
        gameName: 'Rồng Vàng',
        vendorCode: 'JL',
        gameType: 'RNG',
        showIcon: '/m/art/tiles/rng-001.webp',
      },
      'vi',
    ),
  ).toEqual(game);
});

test('a vendor without a display name is shown by its code', () => {
  expect(readGame({ vassalage: 'JL' }, 'vi').vendorName).toBe('JL');
});
