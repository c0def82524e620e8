import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Keeps the current one of a row that scrolls in the middle of it, whenever the key changes: say which one it is, and how
 * many there are. Only the row moves, never the page.
 */
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
