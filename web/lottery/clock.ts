// The server's clock. Deadlines use it, because the device's clock may be wrong.
import { useEffect, useState } from 'react';

let offsetMs = 0;

/** Sets the clock to the time in a response. */
export function setServerTime(serverTime: number): void {
  offsetMs = serverTime - Date.now();
}

export const serverNow = (): number => Date.now() + offsetMs;

const tickMs = 500;

/** Returns the server's time, and renders again twice a second. */
export function useServerNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Formats a remaining time: `mm:ss` below an hour, otherwise `hh:mm:ss`. Negative times count as zero. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  return (hours > 0 ? [hours, ...parts] : parts)
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Returns the state of a numero at the given time. */
export function phaseOf(
  { openTime, closeTime, drawTime }: { openTime: number; closeTime: number; drawTime: number },
  now: number,
): 'early' | 'open' | 'closed' | 'drawing' {
  if (now >= drawTime) return 'drawing';
  if (now >= closeTime) return 'closed';
  return now < openTime ? 'early' : 'open';
}
