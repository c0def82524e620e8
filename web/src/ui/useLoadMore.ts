import { useEffect, useRef, type RefObject } from 'react';

const nearPx = 600;
const everyMs = 1000;

/** Calls `load` when the end of a list is near, while `ready`, at most once a second. */
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
