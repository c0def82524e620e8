// The draws that the member follows on this device.
import { create } from 'zustand';

import { localStore } from '../lib/storage.ts';

export type Followed = { gameId: string; numero: string };

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

export const followedDraws = (): readonly Followed[] => useFollowed.getState().draws;

export function setFollowed(draws: readonly Followed[]): void {
  localStore.set(key, JSON.stringify(draws));
  useFollowed.setState({ draws });
}

export const useIsFollowed = ({ gameId, numero }: Followed): boolean =>
  useFollowed(({ draws }) =>
    draws.some((draw) => draw.gameId === gameId && draw.numero === numero),
  );

/** Reports whether the member follows any draw. */
export const useFollowsDraws = (): boolean => useFollowed(({ draws }) => draws.length > 0);

/** Follows the current draw of a game, or stops following it. */
export function toggleFollowed({ gameId, numero }: Followed): void {
  const draws = followedDraws();
  const others = draws.filter((draw) => draw.gameId !== gameId || draw.numero !== numero);
  setFollowed(others.length < draws.length ? others : [...draws, { gameId, numero }]);
}
