// Movement by transform and opacity alone, done by the compositor. Where one wants none, or where the page cannot move
// things, a step is over at once: what it leads to is the same.

export const calm = (): boolean => document.documentElement.dataset.calm === 'true';

/** Moves an element; the promise is kept when it stands, however that came. */
export async function move(
  element: Element,
  frames: Keyframe[],
  options: KeyframeAnimationOptions,
): Promise<void> {
  if (calm() || typeof element.animate !== 'function') return;
  const animation = element.animate(frames, {
    easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
    ...options,
  });
  await animation.finished.catch(() => {});
}

/** Steps of a show by their time. What lies behind already is done at once, unmoved: who comes late misses nothing. */
export function playSteps(
  steps: readonly (readonly [at: number, run: (late: boolean) => void])[],
  since: number,
): () => void {
  const timers: number[] = [];
  for (const [at, run] of steps) {
    const left = at - since;
    if (left <= 0) run(true);
    else timers.push(window.setTimeout(() => run(false), left));
  }
  return () => timers.forEach((timer) => clearTimeout(timer));
}
