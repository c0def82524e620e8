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

/**
 * Counts up to `last`, one step in each idle moment, for a screen too large to be made at once: what is looked at
 * comes first, the rest follows without holding up a tap. With `atOnce` it starts where it would end.
 */
export function useSteps(last: number, atOnce: boolean): number {
  const [step, setStep] = useState(atOnce ? last : 0);
  useEffect(() => {
    if (step < last) return whenIdle(() => startTransition(() => setStep(step + 1)));
  }, [step, last]);
  return step;
}
