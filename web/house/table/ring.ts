// The ring that counts a phase down. One for each screen; it moves in steps of a quarter second, which is enough to read.
// The browser's compositor moves it, so that the page itself has a frame for it only when a phase begins.
import { el, icon, setText, svg } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import type { Phase } from './phase.ts';

/** Half of the ring, drawn on the side where it is not seen: turned, it comes out from behind the middle. */
const halves = { right: 'M50 8A42 42 0 0 0 50 92', left: 'M50 8A42 42 0 0 1 50 92' } as const;

function half(side: keyof typeof halves) {
  const turned = svg('svg', { viewBox: '0 0 100 100' }, svg('path', { d: halves[side] }));
  return { turned, root: el('span', { class: 'ring-half', 'data-side': side }, turned) };
}

/** How far each half is turned for a part of the whole, from the top and on to the right. */
export const turnsOf = (part: number): Record<keyof typeof halves, number> => ({
  right: Math.min(part, 0.5) * 360,
  left: Math.max(part - 0.5, 0) * 360,
});

const stepMs = 250;
/** A clock that was set by less is no reason to begin anew. */
const slackMs = 200;

/** How a half turns while what is left of the whole goes from a part to none. */
export function framesOf(part: number, side: keyof typeof halves): Keyframe[] {
  // Only one half moves at a time: the left one until half of the whole is left, then the right one.
  const handsOver = Math.max(0, 1 - 0.5 / part);
  return [
    [part, 0],
    [Math.min(part, 0.5), handsOver],
    [0, 1],
  ].map(([left = 0, offset = 0]) => ({ transform: rotate(turnsOf(left)[side]), offset }));
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
    // Read out by the line that tells the phase; a number that changes every second would drown all else.
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
  let runs: { endsAt: number; animations: readonly Animation[] } | null = null;

  function stand(part: number): void {
    for (const one of runs?.animations ?? []) one.cancel();
    runs = null;
    const turns = turnsOf(part);
    right.turned.style.transform = rotate(turns.right);
    left.turned.style.transform = rotate(turns.left);
  }

  function run(leftMs: number, ofMs: number): void {
    const endsAt = performance.now() + leftMs;
    if (runs && Math.abs(runs.endsAt - endsAt) < slackMs) return;
    stand(0);
    const part = Math.min(1, leftMs / ofMs);
    const timing = { duration: leftMs, easing: `steps(${Math.ceil(leftMs / stepMs)})` };
    const animations = [
      right.turned.animate(framesOf(part, 'right'), timing),
      left.turned.animate(framesOf(part, 'left'), timing),
    ];
    runs = { endsAt, animations };
  }

  return {
    root,
    show(phase: Phase, leftMs: number, ofMs: number): void {
      const counts = phase === 'betting' || phase === 'closing';
      const moves = typeof right.turned.animate === 'function';
      if (counts && leftMs > 0 && moves) run(leftMs, ofMs);
      else if (counts) stand(Math.max(0, Math.min(1, leftMs / ofMs)));
      else if (phase !== shown) stand(phase === 'locked' ? 1 : 0);
      setText(count, counts ? String(Math.max(0, Math.ceil(leftMs / 1000))) : '');
      if (phase === shown) return;
      shown = phase;
      root.dataset.phase = phase;
      const name = marks[phase];
      mark.replaceChildren(...(name ? [icon(icons[name], 30)] : []));
    },
  };
}
