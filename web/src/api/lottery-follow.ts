// The notices of draws that the member follows.
import { useEffect, useEffectEvent } from 'react';

import { bareValue, client } from './client.ts';
import { followedDraws, setFollowed, type Followed } from './followed-draws.ts';
import type { LotteryGame } from './lottery.ts';

/** A draw with its result. A void draw has none. */
type Drawn = { numero: string; winNo: string | null };

/** Finds the result of a draw that is not the last one. Returns null if it is neither drawn nor void. */
async function findDrawn({ gameId, numero }: Followed): Promise<Drawn | null> {
  for (const isVoid of [false, true]) {
    // oxlint-disable-next-line no-await-in-loop -- void draws are rare
    const { list } = await bareValue(
      client.GET('/lgw/draw/{gameId}', {
        params: { path: { gameId }, query: { pageSize: 100, ...(isVoid && { void: true }) } },
      }),
    );
    const found = list.find((draw) => draw.numero === numero);
    if (found) return { numero, winNo: isVoid ? null : found.winNo };
  }
  return null;
}

/** Reports each followed draw once its result is published, or the draw is void. Forgets draws of games that are not offered. */
export function useFollowedDraws(
  games: readonly LotteryGame[] | undefined,
  onDrawn: (game: LotteryGame, drawn: Drawn) => void,
): void {
  const report = useEffectEvent(onDrawn);
  useEffect(() => {
    const draws = followedDraws();
    if (!games || draws.length === 0) return;
    const waiting: Followed[] = [];
    for (const draw of draws) {
      const game = games.find(({ gameId }) => gameId === draw.gameId);
      const last = game?.last;
      // Within a game, draw numbers sort as text.
      // A game that is not offered any more is not announced.
      if (!game) continue;
      if (!last || last.numero < draw.numero) waiting.push(draw);
      else if (last.numero === draw.numero) report(game, last);
      else {
        const announce = (drawn: Drawn | null) => {
          if (drawn) report(game, drawn);
        };
        // A draw that cannot be read is announced never rather than with other numbers.
        findDrawn(draw).then(announce, () => {});
      }
    }
    if (waiting.length < draws.length) setFollowed(waiting);
  }, [games]);
}
