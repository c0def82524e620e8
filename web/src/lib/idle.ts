import { startTransition, useEffect, useState } from 'react';

const idleTimeoutMs = 300;

/** Calls back when the browser is idle, at the latest after `idleTimeoutMs`. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, 1);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: idleTimeoutMs });
  return () => cancelIdleCallback(handle);
}

/** The time after the last scroll event until the page counts as not scrolling. */
const rest = 200;
let moved = -rest;

addEventListener('scroll', () => (moved = performance.now()), { passive: true });

/** Calls back when the browser is idle and the page is not scrolling. */
function whenStill(act: () => void): () => void {
  let stop = whenIdle(look);
  function look(): void {
    const wait = moved + rest - performance.now();
    if (wait <= 0) return act();
    const timer = setTimeout(() => (stop = whenIdle(look)), wait);
    stop = () => clearTimeout(timer);
  }
  return () => stop();
}

const turns: (() => void)[] = [];

/** Queues a callback for when the page is still. Each callback gets its own idle period. */
export function enqueueIdle(act: () => void): () => void {
  if (turns.push(act) === 1) whenStill(next);
  return () => {
    const at = turns.indexOf(act);
    // The first entry keeps its place, because its idle callback is already scheduled.
    if (at === 0) turns[0] = () => {};
    else if (at > 0) turns.splice(at, 1);
  };
}

function next(): void {
  turns[0]?.();
  turns.shift();
  if (turns.length > 0) whenStill(next);
}

/**
 * Counts up to `last`, one step per idle period, so that a large screen renders in parts without blocking taps. With `atOnce` it starts
 * at `last`; with `still` it waits while the page scrolls.
 */
export function useIncrementalRender(last: number, atOnce: boolean, still = false): number {
  const [step, setStep] = useState(atOnce ? last : 0);
  useEffect(() => {
    const when = still ? whenStill : whenIdle;
    if (step < last) return when(() => startTransition(() => setStep(step + 1)));
  }, [step, last, still]);
  return step;
}
