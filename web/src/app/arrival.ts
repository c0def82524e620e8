import { useLayoutEffect } from 'react';

import { entryKey } from '../lib/layers.ts';
import { followScrolling } from './scrolling.ts';

/** How far down each entry of the history was scrolled when it was left. */
const positions = new Map<string, number>();
let shown = '';
let started = false;

function watchScrolling(): void {
  if (started) return;
  started = true;
  history.scrollRestoration = 'manual';
  followScrolling(keepPosition);
}

function keepPosition(position: number): void {
  // Between leaving one screen and showing the next the page may shrink, which is no one's scrolling.
  if (entryKey() === shown) positions.set(shown, position);
}

/**
 * A new screen begins at its top, one that is come back to where it was left, and its heading takes the
 * focus so that screen readers and keyboards are there too.
 */
export function useArrival(): void {
  useLayoutEffect(() => {
    const first = !started;
    watchScrolling();
    shown = entryKey();
    if (first) return;
    window.scrollTo({ top: positions.get(shown) ?? 0, behavior: 'instant' });
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, []);
}
