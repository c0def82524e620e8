// Times of a round, in milliseconds from the tap.

/** There is no turbo, early stop or autoplay. */
export const spinTimes = {
  press: 80,
  pullBack: 90,
  accelerate: 180,
  firstStop: 1300,
  lastStop: 2180,
  overshoot: 160,
  result: 2500,
} as const;

/** The minimum time between the starts of two rounds (PP-10). */
export const minRoundMs = 2500;

const symbolsPerSecond = 24;
const pullBackSymbols = 0.16;
const swingPx = 10;
/** The minimum time between the response and the first stop. */
const minLeadMs = 260;

const fullSpeedAt = spinTimes.press + spinTimes.pullBack + spinTimes.accelerate;

const easeOut = (part: number): number => 1 - (1 - part) ** 3;

export type Landing = Readonly<{ stops: readonly number[]; result: number }>;

/** A late response delays all stops by the same time. An early one changes nothing. */
export function landingTimes(answered: number, reels: number): Landing {
  const late = Math.max(0, answered + minLeadMs - spinTimes.firstStop);
  const apart = (spinTimes.lastStop - spinTimes.firstStop) / Math.max(1, reels - 1);
  const stops = Array.from({ length: reels }, (_, i) => spinTimes.firstStop + i * apart + late);
  return { stops, result: spinTimes.result + late };
}

/** The stages of a fall: winning symbols are marked, vanish, and the others fall. */
export const fallTimes = { mark: 700, vanish: 180, fall: 260, rest: 200 } as const;

export const fallTotalMs = fallTimes.mark + fallTimes.vanish + fallTimes.fall + fallTimes.rest;

/** The progress of a fall, each part from 0 to 1. */
export function fallAt(time: number): { vanished: number; fallen: number; over: boolean } {
  const part = (from: number, length: number): number =>
    Math.max(0, Math.min(1, (time - from) / length));
  const { mark, vanish, fall } = fallTimes;
  return {
    vanished: part(mark, vanish),
    fallen: part(mark + vanish, fall) ** 2,
    over: time >= fallTotalMs,
  };
}

/** Pauses between free rounds and for their announcement. */
export const pauseMs = { betweenFree: 900, won: 1700, award: 2600 } as const;

/** The strip position at the top in symbols, the overshoot in pixels, and the speed from 0 to 1. */
export type ReelPosition = { top: number; swing: number; speed: number };

function run(time: number): Omit<ReelPosition, 'swing'> {
  const pulled = time - spinTimes.press;
  if (pulled <= 0) return { top: 0, speed: 0 };
  // Symbols move down, so the position decreases while the reel runs.
  if (pulled < spinTimes.pullBack)
    return { top: pullBackSymbols * easeOut(pulled / spinTimes.pullBack), speed: 0 };
  const gained = Math.min(pulled - spinTimes.pullBack, spinTimes.accelerate);
  const whole = Math.max(0, time - fullSpeedAt);
  const speed = gained / spinTimes.accelerate;
  return {
    top: pullBackSymbols - (symbolsPerSecond / 1000) * ((gained * speed) / 2 + whole),
    speed,
  };
}

/** Returns a reel's position. At full speed, where symbols are unreadable, it jumps to the part of the strip before the stop. */
export function reelPositionAt(
  time: number,
  from: number,
  to: { stop: number; at: number } | null,
  answered = 0,
): ReelPosition {
  if (!to || time < Math.max(answered, fullSpeedAt)) {
    const { top, speed } = run(time);
    return { top: from + top, swing: 0, speed };
  }
  if (time < to.at) {
    return { top: to.stop + (symbolsPerSecond / 1000) * (to.at - time), swing: 0, speed: 1 };
  }
  const part = Math.min(1, (time - to.at) / spinTimes.overshoot);
  return { top: to.stop, swing: swingPx * Math.sin(part * Math.PI) * (1 - part / 3), speed: 0 };
}
