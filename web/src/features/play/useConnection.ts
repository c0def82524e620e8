import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';

import { playQuery } from '../../api/play.ts';
import { errorOfThrown } from '../../i18n/api-error.ts';

const retryDelaysMs = [1000, 2000, 4000] as const;
const maxRetryDelayMs = 8000;
const leaveAfterMs = 30_000;

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

export type Connection = {
  isLost: boolean;
  attempt: number;
  /** True after the connection was lost for a long time. */
  canLeave: boolean;
};

export function useConnection(playId: string): Connection {
  const cache = useQueryClient();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const { error } = useQuery(playQuery(playId));
  const isLost = !online || (error !== null && errorOfThrown(error).unreachable);
  const [attempt, setAttempt] = useState(1);
  const [canLeave, setCanLeave] = useState(false);

  useEffect(() => {
    if (!isLost) return;
    const { queryKey } = playQuery(playId);
    let attempts = 0;
    let timer: ReturnType<typeof setTimeout>;
    const tryAgain = () => {
      void cache.refetchQueries({ queryKey });
      attempts += 1;
      setAttempt(attempts + 1);
      wait();
    };
    const wait = () => {
      timer = setTimeout(tryAgain, retryDelaysMs[attempts] ?? maxRetryDelayMs);
    };
    wait();
    const leaveTimer = setTimeout(() => setCanLeave(true), leaveAfterMs);
    return () => {
      clearTimeout(timer);
      clearTimeout(leaveTimer);
      setAttempt(1);
      setCanLeave(false);
    };
  }, [isLost, cache, playId]);

  return { isLost, attempt, canLeave };
}
