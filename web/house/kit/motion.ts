// Animations of transform and opacity, which the compositor runs. With reduced motion each step ends at once.

export const isMotionReduced = (): boolean => document.documentElement.dataset.calm === 'true';

/** Animates an element and resolves when the animation ends or is cancelled. */
export async function animateElement(
  element: Element,
  frames: Keyframe[],
  options: KeyframeAnimationOptions,
): Promise<void> {
  if (isMotionReduced() || typeof element.animate !== 'function') return;
  const animation = element.animate(frames, {
    easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
    ...options,
  });
  await animation.finished.catch(() => {});
}

/** Runs each step at its time. Steps whose time has passed run at once with `late` set. */
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
