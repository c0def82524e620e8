import { useEffect, useRef, type RefObject } from 'react';

const loadAtPx = 600;
const minIntervalMs = 1000;

/** Calls `load` when the end of a list is near, while `ready`, at most once a second. */
export function useLoadMore(ready: boolean, load: () => void): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const lastLoadAt = useRef(Number.NEGATIVE_INFINITY);
  const latestLoad = useRef(load);

  useEffect(() => {
    latestLoad.current = load;
  }, [load]);

  useEffect(() => {
    const element = end.current;
    if (!element || !ready) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const loadNow = () => {
      lastLoadAt.current = performance.now();
      latestLoad.current();
    };
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        if (!entries.at(-1)?.isIntersecting) return;
        timer = setTimeout(
          loadNow,
          Math.max(0, lastLoadAt.current + minIntervalMs - performance.now()),
        );
      },
      { rootMargin: `0px 0px ${loadAtPx}px` },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [ready]);

  return end;
}
