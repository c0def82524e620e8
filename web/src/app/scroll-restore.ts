import { useLayoutEffect } from 'react';

import { entryKey } from '../lib/layers.ts';
import { sessionStore } from '../lib/storage.ts';
import { onScroll } from './scrolling.ts';

const storeKey = 'scrolled';
const maxPositions = 50;
const restoreTimeoutMs = 10_000;

/** The last scroll position of each history entry, including entries from before a reload. */
let positions = new Map<string, number>();
let currentKey = '';
let started = false;

function watchScrolling(): void {
  started = true;
  history.scrollRestoration = 'manual';
  positions = loadPositions();
  onScroll(recordPosition);
  addEventListener('pagehide', savePositions);
}

function recordPosition(position: number): void {
  // Between two screens the page may shrink and scroll by itself.
  if (entryKey() === currentKey) positions.set(currentKey, position);
}

/** Saves the positions for the page after a reload. */
function savePositions(): void {
  // The last scroll event may not have arrived.
  if (currentKey) recordPosition(window.scrollY);
  sessionStore.set(storeKey, JSON.stringify([...positions].slice(-maxPositions)));
}

function loadPositions(): typeof positions {
  const stored = sessionStore.get(storeKey);
  sessionStore.remove(storeKey);
  const [navigation] = performance.getEntriesByType('navigation');
  // A newly opened page starts at the top.
  const isReturn = ['reload', 'back_forward'].includes(
    (navigation as PerformanceNavigationTiming | undefined)?.type ?? '',
  );
  try {
    return new Map(isReturn && stored ? (JSON.parse(stored) as [string, number][]) : []);
  } catch {
    return new Map();
  }
}

/**
 * Scrolls a new screen to the top, and an earlier one to its last position. It focuses the heading for screen readers and keyboards.
 */
export function useScrollRestore(): void {
  useLayoutEffect(() => {
    const first = !started;
    if (first) watchScrolling();
    currentKey = entryKey();
    const position = positions.get(currentKey) ?? 0;
    if (first) return position > 0 ? scrollWhenLongEnough(position) : undefined;
    window.scrollTo({ top: position, behavior: 'instant' });
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, []);
}

/** Scrolls again while the first screen renders in steps, until it is long enough or the member scrolls. */
function scrollWhenLongEnough(position: number): () => void {
  const scroll = () => {
    const { scrollHeight, clientHeight } = document.documentElement;
    window.scrollTo({ top: position, behavior: 'instant' });
    if (scrollHeight - clientHeight >= position) stop();
  };
  const observer = new ResizeObserver(scroll);
  const inputEvents = ['pointerdown', 'wheel', 'keydown', 'touchstart'] as const;
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const each of inputEvents) removeEventListener(each, stop);
  };
  const timer = setTimeout(stop, restoreTimeoutMs);
  for (const each of inputEvents) addEventListener(each, stop, { passive: true });
  observer.observe(document.body);
  scroll();
  return stop;
}
