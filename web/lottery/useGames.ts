import { useEffect, useState } from 'react';

import { untilReload } from '../src/lib/draw-reload.ts';
import { lottery } from './api.ts';
import { serverNow, setServerTime } from './clock.ts';
import type { Game } from './wire.ts';

const retryDelay = (failures: number): number => Math.min(60_000, 1000 * 2 ** failures);

/** Returns the games with their current numeros. While the list is shown, it loads them again after each draw. */
export function useGames(loaded: readonly Game[], isShown: boolean): readonly Game[] {
  const [newer, setNewer] = useState<{ loaded: readonly Game[]; games: readonly Game[] }>();
  const games = newer?.loaded === loaded ? newer.games : loaded;

  useEffect(() => {
    if (!isShown) return;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const wait = () => {
      // After a failure the known draws are past.
      const delay =
        failures > 0
          ? retryDelay(failures)
          : untilReload(games.map(({ drawTime }) => drawTime - serverNow()));
      timer = setTimeout(() => void read(), delay);
    };
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      try {
        const next = await lottery.games();
        if (stopped) return;
        if (next[0]) setServerTime(next[0].serverTime);
        setNewer({ loaded, games: next });
      } catch {
        failures++;
        if (!stopped) wait();
      }
    };
    wait();
    // Timers are late on hidden pages and sleeping phones.
    const onVisible = () => {
      if (!document.hidden) void read();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [loaded, games, isShown]);

  return games;
}
