// Draws that the member follows on this device. The member gets a notice when a result is published.
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';

import { localStore } from '../lib/storage.ts';
import type { LotteryGame } from './lottery.ts';

type Followed = { gameId: string; numero: string };

const key = 'lotteryFollowed';

function read(): Followed[] {
  try {
    const stored: unknown = JSON.parse(localStore.get(key) ?? '[]');
    return Array.isArray(stored) ? (stored as Followed[]) : [];
  } catch {
    return [];
  }
}

const useFollowed = create<{ draws: readonly Followed[] }>(() => ({ draws: read() }));

function set(draws: readonly Followed[]): void {
  localStore.set(key, JSON.stringify(draws));
  useFollowed.setState({ draws });
}

export const useIsFollowed = ({ gameId, numero }: Followed): boolean =>
  useFollowed(({ draws }) =>
    draws.some((draw) => draw.gameId === gameId && draw.numero === numero),
  );

/** Follows the current draw of a game, or stops following it. */
export function toggleFollowed({ gameId, numero }: Followed): void {
  const { draws } = useFollowed.getState();
  const others = draws.filter((draw) => draw.gameId !== gameId || draw.numero !== numero);
  set(others.length < draws.length ? others : [...draws, { gameId, numero }]);
}

/** Reports each followed draw once its result is published. */
export function useFollowedDraws(
  games: readonly LotteryGame[] | undefined,
  onDrawn: (game: LotteryGame, last: { numero: string; winNo: string }) => void,
): void {
  const report = useEffectEvent(onDrawn);
  useEffect(() => {
    const { draws } = useFollowed.getState();
    if (!games || draws.length === 0) return;
    const waiting: Followed[] = [];
    for (const draw of draws) {
      const game = games.find(({ gameId }) => gameId === draw.gameId);
      const last = game?.last;
      // Within a game, draw numbers sort as text.
      if (!game || !last || last.numero < draw.numero) waiting.push(draw);
      else report(game, last);
    }
    if (waiting.length < draws.length) set(waiting);
  }, [games]);
}
