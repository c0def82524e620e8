import { startTransition, useEffect, useState } from 'react';

/** An idle moment is not waited for longer than this. */
const patience = 300;

/** Calls back when the browser has nothing better to do. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, 1);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: patience });
  return () => cancelIdleCallback(handle);
}

/** A page that was not scrolled for this long stands still. */
const rest = 200;
let moved = -rest;

addEventListener('scroll', () => (moved = performance.now()), { passive: true });

/** Calls back in an idle moment in which the page stands still: while it moves every frame is the finger's. */
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

/** Calls back when the page stands still. Of many that wait each has an idle moment of its own. */
export function enqueueIdle(act: () => void): () => void {
  if (turns.push(act) === 1) whenStill(next);
  return () => {
    const at = turns.indexOf(act);
    // The first keeps its place: the idle moment that was asked for is its own.
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
 * Counts up to `last`, one step in each idle moment, for a screen too large to be made at once: what is looked at
 * comes first, the rest follows without holding up a tap. With `atOnce` it starts where it would end; with `still` it
 * waits while the page is scrolled.
 */
export function useIncrementalRender(last: number, atOnce: boolean, still = false): number {
  const [step, setStep] = useState(atOnce ? last : 0);
  useEffect(() => {
    const when = still ? whenStill : whenIdle;
    if (step < last) return when(() => startTransition(() => setStep(step + 1)));
  }, [step, last, still]);
  return step;
}
