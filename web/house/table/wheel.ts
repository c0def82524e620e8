// The roulette wheel and its ball.
import { el, svg } from '../kit/dom.ts';
import { isMotionReduced, animateElement } from '../kit/motion.ts';

/** Numbers in wheel order. */
export const pockets: readonly number[] = [
  0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14,
  31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
];

const reds = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);

export type Colour = 'zero' | 'red' | 'black';

export const colourOf = (number: number): Colour =>
  number === 0 ? 'zero' : reds.has(number) ? 'red' : 'black';

const sliceDegrees = 360 / pockets.length;

/** Degrees from the top to a number's pocket, clockwise. */
export const angleOf = (number: number): number =>
  Math.max(0, pockets.indexOf(number)) * sliceDegrees;

const point = (radius: number, degrees: number): string => {
  const turn = (degrees * Math.PI) / 180;
  return `${(radius * Math.sin(turn)).toFixed(2)} ${(-radius * Math.cos(turn)).toFixed(2)}`;
};

function pocket(number: number): SVGElement[] {
  const at = angleOf(number);
  const [from, to] = [at - sliceDegrees / 2, at + sliceDegrees / 2];
  const path = `M${point(60, from)}L${point(90, from)}A90 90 0 0 1 ${point(90, to)}L${point(60, to)}A60 60 0 0 0 ${point(60, from)}z`;
  const text = svg('text', {
    class: 'pocket-number',
    transform: `rotate(${at}) translate(0 -80)`,
    y: 2.6,
  });
  text.textContent = String(number);
  return [svg('path', { class: `pocket ${colourOf(number)}`, d: path }), text];
}

function drawFace(): SVGElement {
  return svg(
    'svg',
    { viewBox: '-100 -100 200 200', class: 'wheel-face' },
    svg('circle', { class: 'wheel-rim', r: 99 }),
    svg('circle', { class: 'wheel-track', r: 93 }),
    ...pockets.flatMap((number) => pocket(number)),
    svg('circle', { class: 'wheel-line', r: 90 }),
    svg('circle', { class: 'wheel-line', r: 74 }),
    svg('circle', { class: 'wheel-bowl', r: 60 }),
    ...[0, 90, 180, 270].map((turn) =>
      svg('path', { class: 'wheel-spoke', transform: `rotate(${turn})`, d: 'M-3 0 0-46 3 0z' }),
    ),
    ...[0, 90, 180, 270].map((turn) =>
      svg('circle', { class: 'wheel-knob', transform: `rotate(${turn})`, cy: -46, r: 4.5 }),
    ),
    svg('circle', { class: 'wheel-hub', r: 15 }),
  );
}

const spinMs = 4600;

export function wheel() {
  const face = drawFace();
  const ball = el('div', { class: 'ball' });
  const orbit = el('div', { class: 'ball-orbit', hidden: true }, ball);
  const turning = el('div', { class: 'wheel-turning' }, face);
  const root = el('div', { class: 'wheel', dir: 'ltr', 'aria-hidden': 'true' }, turning, orbit);
  let at = 0;

  /** Sets wheel and ball at rest, with the pocket at the top. */
  function rest(number: number | null): void {
    orbit.hidden = number === null;
    at = number === null ? 0 : -angleOf(number);
    turning.style.rotate = `${at}deg`;
    orbit.style.rotate = '0deg';
    ball.dataset.in = 'true';
  }

  /** Moves the ball along the rim, then into a pocket with a last bounce. */
  async function fall(ms: number): Promise<void> {
    ball.dataset.in = 'false';
    await animateElement(
      ball,
      [
        { translate: '0 0' },
        { translate: '0 0', offset: 0.62 },
        { translate: '0 var(--fall)', offset: 0.78 },
        { translate: '0 calc(var(--fall) * 0.72)', offset: 0.84 },
        { translate: '0 var(--fall)' },
      ],
      { duration: ms, easing: 'linear' },
    );
    ball.dataset.in = 'true';
  }

  return {
    root,
    rest,
    /** Turns to a number within the time left. */
    spin(number: number, leftMs: number): void {
      const from = at;
      rest(number);
      if (isMotionReduced() || leftMs <= 400) return;
      const end = -angleOf(number) + 360 * 2;
      const options = { duration: leftMs, easing: 'cubic-bezier(0.12, 0.6, 0.25, 1)' };
      void animateElement(turning, [{ rotate: `${from}deg` }, { rotate: `${end}deg` }], options);
      void animateElement(orbit, [{ rotate: '0deg' }, { rotate: '-2160deg' }], options);
      void fall(leftMs);
    },
    spinMs,
  };
}
