import { useEffect, useRef, useState, type RefObject } from 'react';

/** More is fetched when the end of the list comes this near. */
const nearPx = 600;
/** And no more often than this. */
const everyMs = 1000;

/**
 * Watches the end of a list. Calls `load` when it comes near, while `ready`, at most once a second; if it is
 * still near after that, again.
 */
export function useLoadMore(ready: boolean, load: () => void): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const last = useRef(Number.NEGATIVE_INFINITY);
  const latest = useRef(load);

  useEffect(() => {
    latest.current = load;
  }, [load]);

  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: `0px 0px ${nearPx}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!near || !ready) return;
    const wait = Math.max(0, last.current + everyMs - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      latest.current();
    }, wait);
    return () => clearTimeout(timer);
  }, [near, ready]);

  return end;
}
