// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import type { Game } from '../../api/catalogue.ts';
import { keepLotteryTile } from '../../api/lottery-tile.ts';
import { readChoice } from './choice.ts';

const read = (query: string) => readChoice(new URLSearchParams(query));

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, '', '/m/launchGame?code=lobby');
});

test('GL-02 in part: code lobby launches the lobby of all lotteries', () => {
  expect(read('code=lobby')).toMatchObject({ vendor: 'LOTT', gameId: 'lobby' });
});

test('RT-26 in part: the launcher’s URL without a vendor names a lottery', () => {
  expect(read('gameId=1201&playType=ent')).toMatchObject({
    vendor: 'ELOTT',
    gameCategory: 'ELOTT',
    gameId: '1201',
  });
  expect(read('gameId=101&gameGroupId=1')).toMatchObject({
    vendor: 'TCG_LOTTO_VN',
    gameCategory: 'LOTT',
  });
  expect(read('gameId=101')).toBeNull();
});

test('a tile of the lottery opens its own game, also after a reload, and later visits open the lobby', () => {
  const tile = { vendor: 'ELOTT', category: 'ELOTT', id: 'elott-001', nodeId: '7', name: 'Turbo' };
  keepLotteryTile(tile as Game);
  expect(read('code=lobby')).toMatchObject({ vendor: 'ELOTT', gameId: 'elott-001', nodeId: '7' });
  expect(read('code=lobby')).toMatchObject({ gameId: 'elott-001' });
  history.replaceState({ key: 'other', depth: 1 }, '', '/m/launchGame?code=lobby');
  expect(read('code=lobby')).toMatchObject({ gameId: 'lobby' });
});
