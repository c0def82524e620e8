import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Centres the current item of a scrolling row whenever `key` changes. It scrolls the row, never the page. */
export function useIntoView(key: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  const last = useRef<string>(null);
  useLayoutEffect(() => {
    if (last.current === key) return;
    last.current = key;
    const current = row.current?.querySelector('[aria-current]');
    if (current) row.current!.scrollLeft += middle(current) - middle(row.current!);
  });
  return row;
}

function middle(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
