import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';

import { playQuery } from '../../api/play.ts';
import { errorOfThrown } from '../../i18n/api-error.ts';

const pauses = [1, 2, 4, 8] as const;
/** After this long nobody should be kept from leaving. */
const longMs = 30_000;

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

export type Connection = { lost: boolean; attempt: number; long: boolean };

/** Whether the server can be reached, tried anew after 1, 2, 4 and then every 8 seconds while it cannot. */
export function useConnection(playId: string): Connection {
  const cache = useQueryClient();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const { error } = useQuery(playQuery(playId));
  const lost = !online || (error !== null && errorOfThrown(error).unreachable);
  const [attempt, setAttempt] = useState(1);
  const [long, setLong] = useState(false);

  useEffect(() => {
    if (!lost) return;
    const { queryKey } = playQuery(playId);
    let tries = 0;
    let timer: ReturnType<typeof setTimeout>;
    const tryAgain = () => {
      void cache.refetchQueries({ queryKey });
      tries += 1;
      setAttempt(tries + 1);
      wait();
    };
    const wait = () => {
      timer = setTimeout(tryAgain, (pauses[Math.min(tries, pauses.length - 1)] ?? 8) * 1000);
    };
    wait();
    const patience = setTimeout(() => setLong(true), longMs);
    return () => {
      clearTimeout(timer);
      clearTimeout(patience);
      setAttempt(1);
      setLong(false);
    };
  }, [lost, cache, playId]);

  return { lost, attempt, long };
}
