import { useEffect, useRef, useState, type RefObject } from 'react';

const rootMarginPx = 400;

/** Reports whether an element has ever come near the viewport. */
export function useNearViewport<T extends HTMLElement = HTMLElement>(): [
  RefObject<T | null>,
  boolean,
] {
  const element = useRef<T>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (isNear || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNear(true);
      },
      { rootMargin: `${rootMarginPx}px 0px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isNear]);
  return [element, isNear];
}
