import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';

import { canWin } from '../../api/jackpot.ts';
import type { Play } from '../../api/play.ts';
import { poolQuery } from '../../api/pool.ts';
import { send, type PoolTold } from '../../lib/game-messages.ts';
import type { Game } from './useGame.ts';

/** How often the pool is looked at during play: less than where it is all there is to see. */
const every = 30_000;

/** Tells a game of our own which jackpot its stakes are drawn for, and says whether there is one. */
export function useJackpot({ peer, ready }: Game, play: Play | undefined, own: boolean): boolean {
  const { data } = useQuery({
    ...poolQuery,
    enabled: own,
    refetchInterval: ({ state }) => state.data !== undefined && every,
  });
  const pool = useMemo<PoolTold | null>(() => {
    if (!data || !play || data.currency !== play.currency) return null;
    if (!canWin({ simulated: false, games: data.games }, play)) return null;
    const { amount, seed, cap, sharePerMille, unit, parts, most } = data;
    return { amount, seed, cap, sharePerMille, unit, parts, most };
  }, [data, play]);
  const told = pool === null ? null : JSON.stringify(pool);
  useEffect(() => {
    if (!ready || !own) return;
    send(peer, { type: 'jackpot', pool: told === null ? null : (JSON.parse(told) as PoolTold) });
  }, [peer, ready, own, told]);
  return pool !== null;
}
