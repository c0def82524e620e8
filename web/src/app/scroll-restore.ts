import { useLayoutEffect } from 'react';

import { entryKey } from '../lib/layers.ts';
import { sessionStore } from '../lib/storage.ts';
import { followScrolling } from './scrolling.ts';

const storeKey = 'scrolled';
/** The oldest entries are forgotten: nobody goes back further. */
const mostKept = 50;
/** A page that has not grown by then to where it was will not. */
const patience = 10_000;

/** How far down each entry of the history was scrolled when it was left, also by a page before this one. */
let positions = new Map<string, number>();
let shown = '';
let started = false;

function watchScrolling(): void {
  started = true;
  history.scrollRestoration = 'manual';
  positions = kept();
  followScrolling(keepPosition);
  addEventListener('pagehide', keepForLater);
}

function keepPosition(position: number): void {
  // Between leaving one screen and showing the next the page may shrink, which is no one's scrolling.
  if (entryKey() === shown) positions.set(shown, position);
}

/** For the page that takes the place of this one when it is loaded anew. */
function keepForLater(): void {
  // The last scrolling may not have been told yet.
  if (shown) keepPosition(window.scrollY);
  sessionStore.set(storeKey, JSON.stringify([...positions].slice(-mostKept)));
}

function kept(): typeof positions {
  const stored = sessionStore.get(storeKey);
  sessionStore.remove(storeKey);
  const [navigation] = performance.getEntriesByType('navigation');
  // An entry that was never here before has no place to come back to.
  const again = ['reload', 'back_forward'].includes(
    (navigation as PerformanceNavigationTiming | undefined)?.type ?? '',
  );
  try {
    return new Map(again && stored ? (JSON.parse(stored) as [string, number][]) : []);
  } catch {
    return new Map();
  }
}

/**
 * A new screen begins at its top, one that is come back to where it was left, and its heading takes the
 * focus so that screen readers and keyboards are there too.
 */
export function useScrollRestore(): void {
  useLayoutEffect(() => {
    const first = !started;
    if (first) watchScrolling();
    shown = entryKey();
    const position = positions.get(shown) ?? 0;
    if (first) return position > 0 ? scrollWhenLongEnough(position) : undefined;
    window.scrollTo({ top: position, behavior: 'instant' });
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, []);
}

/** The first screen of a page is made in steps: it is followed until it is as long as it was, or is touched. */
function scrollWhenLongEnough(position: number): () => void {
  const look = () => {
    const { scrollHeight, clientHeight } = document.documentElement;
    window.scrollTo({ top: position, behavior: 'instant' });
    if (scrollHeight - clientHeight >= position) stop();
  };
  const observer = new ResizeObserver(look);
  const touches = ['pointerdown', 'wheel', 'keydown', 'touchstart'] as const;
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const each of touches) removeEventListener(each, stop);
  };
  const timer = setTimeout(stop, patience);
  for (const each of touches) addEventListener(each, stop, { passive: true });
  observer.observe(document.body);
  look();
  return stop;
}
