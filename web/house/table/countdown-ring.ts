// The countdown of a phase. The compositor runs the animation, so the page needs no frames.
import { el, icon, setText, svg } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import type { Phase } from './phase.ts';

/** Each half is drawn on the hidden side and rotates into view. */
const halves = { right: 'M50 8A42 42 0 0 0 50 92', left: 'M50 8A42 42 0 0 1 50 92' } as const;

function half(side: keyof typeof halves) {
  const arc = svg('svg', { viewBox: '0 0 100 100' }, svg('path', { d: halves[side] }));
  return { arc, root: el('span', { class: 'ring-half', 'data-side': side }, arc) };
}

/** Returns the rotation of each half, for a share of the time left. */
export const halfAngles = (part: number): Record<keyof typeof halves, number> => ({
  right: Math.min(part, 0.5) * 360,
  left: Math.max(part - 0.5, 0) * 360,
});

const stepMs = 250;
/** Smaller clock corrections do not restart the animation. */
const slackMs = 200;

/** Returns the rotation of one half until no time is left. */
export function halfKeyframes(part: number, side: keyof typeof halves): Keyframe[] {
  // The left half moves first, then the right one.
  const switchOffset = Math.max(0, 1 - 0.5 / part);
  return [
    [part, 0],
    [Math.min(part, 0.5), switchOffset],
    [0, 1],
  ].map(([left = 0, offset = 0]) => ({ transform: rotate(halfAngles(left)[side]), offset }));
}

const rotate = (degrees: number): string => `rotate(${degrees}deg)`;

const marks: Partial<Record<Phase, keyof typeof icons>> = {
  waiting: 'hourglass',
  locked: 'lock',
  void: 'undo',
};

export function countdownRing() {
  const [right, left] = [half('right'), half('left')];
  const count = el('b');
  const mark = el('span', { class: 'ring-mark' });
  const root = el(
    'div',
    // The phase is announced separately. Announcing every second would hide everything else from screen readers.
    { class: 'ring', 'aria-hidden': 'true', 'data-phase': 'waiting' },
    svg(
      'svg',
      { viewBox: '0 0 100 100' },
      svg('circle', { class: 'ring-ground', cx: 50, cy: 50, r: 42 }),
    ),
    right.root,
    left.root,
    el('span', { class: 'ring-count' }, count),
    mark,
  );
  let shown: Phase | null = null;
  let running: { endsAt: number; animations: readonly Animation[] } | null = null;

  function setStatic(part: number): void {
    for (const one of running?.animations ?? []) one.cancel();
    running = null;
    const turns = halfAngles(part);
    right.arc.style.transform = rotate(turns.right);
    left.arc.style.transform = rotate(turns.left);
  }

  function startAnimation(leftMs: number, ofMs: number): void {
    const endsAt = performance.now() + leftMs;
    if (running && Math.abs(running.endsAt - endsAt) < slackMs) return;
    setStatic(0);
    const part = Math.min(1, leftMs / ofMs);
    const timing = { duration: leftMs, easing: `steps(${Math.ceil(leftMs / stepMs)})` };
    const animations = [
      right.arc.animate(halfKeyframes(part, 'right'), timing),
      left.arc.animate(halfKeyframes(part, 'left'), timing),
    ];
    running = { endsAt, animations };
  }

  return {
    root,
    show(phase: Phase, leftMs: number, ofMs: number): void {
      const isCounting = phase === 'betting' || phase === 'closing';
      const canAnimate = typeof right.arc.animate === 'function';
      if (isCounting && leftMs > 0 && canAnimate) startAnimation(leftMs, ofMs);
      else if (isCounting) setStatic(Math.max(0, Math.min(1, leftMs / ofMs)));
      else if (phase !== shown) setStatic(phase === 'locked' ? 1 : 0);
      setText(count, isCounting ? String(Math.max(0, Math.ceil(leftMs / 1000))) : '');
      if (phase === shown) return;
      shown = phase;
      root.dataset.phase = phase;
      const name = marks[phase];
      mark.replaceChildren(...(name ? [icon(icons[name], 30)] : []));
    },
  };
}
