// How long until another code may be asked for. Kept outside the components, so that it runs on while the
// member looks at another screen.
import { useCallback, useSyncExternalStore } from 'react';
import { create } from 'zustand';

import { sessionStore } from '../../lib/storage.ts';

/** What the server answers when it has sent a code. */
export type SentCode = {
  expiredMinutes: number;
  /** Unix milliseconds, by the server's clock. */
  expirationTime?: number | undefined;
  /** When it answered, by the same clock. */
  answeredAt?: number | undefined;
};

const minute = 60_000;
const tick = 500;

/** Where the waits outlast a reload: the server's wait runs on as well. */
const storeKey = 'codeWaits';

const useEnds = create<Record<string, number>>(storedEnds);
useEnds.subscribe((ends) => {
  const running = Object.entries(ends).filter(([, end]) => end > Date.now());
  sessionStore.set(storeKey, JSON.stringify(Object.fromEntries(running)));
});

function storedEnds(): Record<string, number> {
  return JSON.parse(sessionStore.get(storeKey) ?? '{}') as Record<string, number>;
}

/** Starts, or starts again, the wait of one target. */
export function startCountdown(target: string, sentCode: SentCode): void {
  useEnds.setState({ [target]: Date.now() + waitOf(sentCode) });
}

function waitOf({ expiredMinutes, expirationTime, answeredAt }: SentCode): number {
  const longest = expiredMinutes * minute;
  if (expirationTime === undefined) return longest;
  if (answeredAt !== undefined) return Math.min(expirationTime - answeredAt, longest);
  const left = expirationTime - Date.now();
  // Without the server's time, a wait that cannot be is the fault of the device's clock.
  return left > 0 && left < longest ? left : longest;
}

/** Ends a wait early, where the code that it was for is of no use any more. */
export function endCountdown(target: string): void {
  useEnds.setState({ [target]: 0 });
}

/** Whole seconds until a code can be asked for again: 0 when it can. */
export function useCountdown(target: string): number {
  return useSecondsLeft(useEnds((ends) => ends[target] ?? 0));
}

/** Whole seconds until a time, in Unix milliseconds; 0 from then on. */
export function useSecondsLeft(end: number): number {
  const subscribe = useCallback(
    (changed: () => void) => {
      if (end <= Date.now()) return () => {};
      const timer = setInterval(changed, tick);
      return () => clearInterval(timer);
    },
    [end],
  );
  return useSyncExternalStore(subscribe, () => Math.max(0, Math.ceil((end - Date.now()) / 1000)));
}
