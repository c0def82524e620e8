import { useCallback, useEffect, useRef, useState } from 'react';

import { lottery } from './api.ts';
import { serverNow, setServerTime } from './clock.ts';
import type { Draw, GameType, Numero } from './wire.ts';

/** The time between requests for a late result. Operators enter regional results some time after the draw. */
const pollMs = { fast: 1000, regional: 20_000, late: 60_000 };
/** After so many failures in a row, polls are slow. */
const maxFailures = 30;
/** A page that shows a numero reports an error only after so many failures in a row. */
const hiddenFailures = 2;
const retryMs = 3000;
const waitingPollMs = 3000;
/** Browsers run longer timers immediately. */
const maxTimerMs = 2 ** 31 - 1;

export type Current = {
  numero: Numero | null;
  error: Error | null;
  refresh: () => void;
};

/** Returns the current numero of a game. After a draw, this is the next one. */
export function useNumero(gameId: string): Current {
  const [numero, setNumero] = useState<Numero | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const loadedGame = useRef<string | null>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const read = async (failures: number): Promise<void> => {
      try {
        const next = await lottery.near(gameId);
        if (stopped) return;
        setServerTime(next.serverTime);
        setNumero(next);
        setError(null);
        loadedGame.current = gameId;
        // Half a second after the draw, the next numero is current. A numero that is not open yet may open at any time.
        const untilDraw = next.drawTime - serverNow() + 500;
        const isWaiting = next.status !== 'open' && serverNow() < next.closeTime;
        const wait = Math.min(untilDraw, isWaiting ? waitingPollMs : maxTimerMs);
        timer = setTimeout(() => void read(0), Math.max(1000, wait));
      } catch (thrown) {
        if (stopped) return;
        const isLoaded = loadedGame.current === gameId;
        if (!isLoaded || failures >= hiddenFailures)
          setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
        const wait = failures < maxFailures ? retryMs : pollMs.late;
        timer = setTimeout(() => void read(failures + 1), wait);
      }
    };
    void read(0);
    // Timers are late on hidden pages and sleeping phones.
    const onVisible = () => {
      if (document.hidden) return;
      clearTimeout(timer);
      void read(0);
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [gameId, attempt]);

  return {
    numero: numero,
    error,
    refresh: useCallback(() => setAttempt((count) => count + 1), []),
  };
}

export type Results = {
  draws: readonly Draw[] | null;
  /** The last draw has no result yet. */
  isDrawing: boolean;
};

const shownDraws = 10;

/** Returns the last results of a game. After a draw, it polls until the result is known. */
export function useResults(gameId: string, type: GameType, numero: Numero | null): Results {
  const [state, setState] = useState<{ numero: string; draws: readonly Draw[]; late: boolean }>();
  const id = numero?.numero;
  // A numero opens at the time of the previous draw.
  const previousDraw = numero?.openTime ?? 0;

  useEffect(() => {
    if (id === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const read = async (failures: number): Promise<void> => {
      const isRegional = type === 'regional';
      let wait = isRegional ? pollMs.regional : pollMs.fast;
      // Operators may enter a regional result hours after the draw. The draws of fast games may be delayed too.
      if (failures >= maxFailures) wait = pollMs.late;
      try {
        const { list } = await lottery.draws(gameId, '', shownDraws);
        if (stopped) return;
        const late = (list[0]?.drawTime ?? 0) < previousDraw;
        setState({ numero: id, draws: list, late: late && failures < maxFailures });
        if (!late) return;
      } catch {
        wait = Math.max(wait, retryMs);
      }
      if (!stopped) timer = setTimeout(() => void read(failures + 1), wait);
    };
    void read(0);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [gameId, type, id, previousDraw]);

  return {
    draws: state?.draws ?? null,
    isDrawing: type !== 'regional' && (state?.late ?? false),
  };
}
