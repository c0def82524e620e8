import { fastLottery, lottery } from '../../api/categories.gen.ts';
import { lobbyGame } from '../../api/launch.ts';
import { lotteryTile } from '../../api/lottery-tile.ts';
import type { GameChoice } from '../../api/play.ts';
import * as vendorCode from '../../api/vendor-codes.gen.ts';

/** The ids of regional lotteries are below those of the fast ones. */
const firstFastLottery = 1000;

/** Reads the game from the URL. It may be a lobby, or the lottery of a tapped tile. Both launch like a game. */
export function readChoice(query: URLSearchParams): GameChoice | null {
  const part = (name: string) => (query.get(name) ?? '').trim();
  const gameId = part('gameId');
  const vendor = part('vendor');
  if (query.get('code') === lobbyGame) {
    const tile = lotteryTile();
    if (tile) {
      const { vendor: of, gameCategory, gameId: id, nodeId } = tile;
      return { vendor: of, gameCategory, gameId: id, nodeId, supportPlay: true };
    }
    return lotteryChoice(vendorCode.lottery, lottery, lobbyGame);
  }
  if (!vendor && isLotteryUrl(query)) {
    return Number(gameId) < firstFastLottery
      ? lotteryChoice(vendorCode.lottoVietnam, lottery, gameId)
      : lotteryChoice(vendorCode.fastLottery, fastLottery, gameId);
  }
  const choice = {
    gameCategory: part('gameCategory'),
    vendor,
    gameId,
    nodeId: part('nodeId'),
    supportPlay: part('supportPlay') === 'true',
  };
  return choice.vendor && choice.gameId ? choice : null;
}

const lotteryChoice = (vendor: string, gameCategory: string, gameId: string): GameChoice => ({
  vendor,
  gameCategory,
  gameId,
  nodeId: '',
  supportPlay: true,
});

/** The URL of the lottery's launcher has no vendor (RT-26). */
const isLotteryUrl = (query: URLSearchParams): boolean =>
  /^\d+$/.test(query.get('gameId') ?? '') &&
  ['playType', 'gameGroupId', 'prize_mode', 'mui'].some((name) => query.has(name));
