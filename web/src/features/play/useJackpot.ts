import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';

import { canWin } from '../../api/jackpot.ts';
import type { Play } from '../../api/play.ts';
import { poolQuery } from '../../api/pool.ts';
import { send, type JackpotPool } from '../../lib/game-messages.ts';
import type { Game } from './useGame.ts';

const pollIntervalMs = 30_000;

/** Sends a House game the jackpot that its stakes can win. Returns whether there is one. */
export function useJackpot(
  { peer, ready }: Game,
  play: Play | undefined,
  isHouseGame: boolean,
): boolean {
  const { data } = useQuery({
    ...poolQuery,
    enabled: isHouseGame,
    refetchInterval: ({ state }) => state.data !== undefined && pollIntervalMs,
  });
  const pool = useMemo<JackpotPool | null>(() => {
    if (!data || !play || data.currency !== play.currency) return null;
    if (!canWin({ simulated: false, games: data.games }, play)) return null;
    const { amount, seed, cap, sharePerMille, unit, parts, most } = data;
    return { amount, seed, cap, sharePerMille, unit, parts, most };
  }, [data, play]);
  const json = pool === null ? null : JSON.stringify(pool);
  useEffect(() => {
    if (!ready || !isHouseGame) return;
    send(peer, { type: 'jackpot', pool: json === null ? null : (JSON.parse(json) as JackpotPool) });
  }, [peer, ready, isHouseGame, json]);
  return pool !== null;
}
