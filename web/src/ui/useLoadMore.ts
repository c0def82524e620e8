import { useEffect, useRef, type RefObject } from 'react';

/** More is fetched when the end of the list comes this near. */
const nearPx = 600;
/** And no more often than this. */
const everyMs = 1000;

/**
 * Watches the end of a list. Calls `load` when it comes near, while `ready`, at most once a second. Whenever a list is
 * ready again its end is looked for anew: where it was before the last page came says nothing.
 */
export function useLoadMore(ready: boolean, load: () => void): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const last = useRef(Number.NEGATIVE_INFINITY);
  const latest = useRef(load);

  useEffect(() => {
    latest.current = load;
  }, [load]);

  useEffect(() => {
    const element = end.current;
    if (!element || !ready) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const loadInTime = () => {
      last.current = performance.now();
      latest.current();
    };
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        if (!entries.at(-1)?.isIntersecting) return;
        timer = setTimeout(loadInTime, Math.max(0, last.current + everyMs - performance.now()));
      },
      { rootMargin: `0px 0px ${nearPx}px` },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [ready]);

  return end;
}
