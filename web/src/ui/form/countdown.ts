// Waiting times between verification codes. Stored outside the components, so that they continue on other screens.
import { useCallback, useSyncExternalStore } from 'react';
import { create } from 'zustand';

import { sessionStore } from '../../lib/storage.ts';

export type SentCode = {
  expiredMinutes: number;
  /** Unix milliseconds on the server's clock. */
  expirationTime?: number | undefined;
  /** The time of the response on the server's clock. */
  answeredAt?: number | undefined;
};

const minuteMs = 60_000;
const tickMs = 500;

/** Stores the waiting times, so that they survive a reload, as they do on the server. */
const storeKey = 'codeWaits';

const useWaitEnds = create<Record<string, number>>(readWaitEnds);
useWaitEnds.subscribe((ends) => {
  const running = Object.entries(ends).filter(([, end]) => end > Date.now());
  sessionStore.set(storeKey, JSON.stringify(Object.fromEntries(running)));
});

function readWaitEnds(): Record<string, number> {
  return JSON.parse(sessionStore.get(storeKey) ?? '{}') as Record<string, number>;
}

export function startCountdown(target: string, sentCode: SentCode): void {
  useWaitEnds.setState({ [target]: Date.now() + waitMs(sentCode) });
}

function waitMs({ expiredMinutes, expirationTime, answeredAt }: SentCode): number {
  const maxWait = expiredMinutes * minuteMs;
  if (expirationTime === undefined) return maxWait;
  if (answeredAt !== undefined) return Math.min(expirationTime - answeredAt, maxWait);
  const left = expirationTime - Date.now();
  // Without the server's time, an impossible wait means that the device's clock is wrong.
  return left > 0 && left < maxWait ? left : maxWait;
}

/** Ends a waiting time whose code can no longer be used. */
export function endCountdown(target: string): void {
  useWaitEnds.setState({ [target]: 0 });
}

/** Returns the whole seconds until the next code can be requested. */
export function useCountdown(target: string): number {
  return useSecondsLeft(useWaitEnds((ends) => ends[target] ?? 0));
}

/** Returns the whole seconds until a Unix time in milliseconds. */
export function useSecondsLeft(end: number): number {
  const subscribe = useCallback(
    (changed: () => void) => {
      if (end <= Date.now()) return () => {};
      const timer = setInterval(changed, tickMs);
      return () => clearInterval(timer);
    },
    [end],
  );
  return useSyncExternalStore(subscribe, () => Math.max(0, Math.ceil((end - Date.now()) / 1000)));
}
