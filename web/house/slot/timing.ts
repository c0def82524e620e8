// When what happens in a round, counted in milliseconds from the tap. Pure: the same time always gives the same picture.

/** The beats of a round. There is no way to make them shorter: no turbo, no early stop, no autoplay. */
export const beats = {
  press: 80,
  pullBack: 90,
  accelerate: 180,
  firstStop: 1300,
  lastStop: 2180,
  overshoot: 160,
  result: 2500,
} as const;

/** No round begins sooner after the one before it (PP-10). */
export const shortestCycle = 2500;

/** Symbols that pass in a second at full speed. */
const speed = 24;
/** How far a reel is drawn back before it runs, in symbols. */
const back = 0.16;
/** How far a reel swings over its stop, in pixels. */
const swing = 10;
/** An answer needs this long before the first reel may stand on it. */
const answerLead = 260;

const running = beats.press + beats.pullBack + beats.accelerate;

const easeOut = (part: number): number => 1 - (1 - part) ** 3;

/** When each reel stops and the result is told, for an answer that came at a given time. */
export type Landing = Readonly<{ stops: readonly number[]; result: number }>;

/** An answer that comes late moves everything on by as much; one that comes early moves nothing. */
export function landingAfter(answered: number, reels: number): Landing {
  const late = Math.max(0, answered + answerLead - beats.firstStop);
  const apart = (beats.lastStop - beats.firstStop) / Math.max(1, reels - 1);
  const stops = Array.from({ length: reels }, (_, i) => beats.firstStop + i * apart + late);
  return { stops, result: beats.result + late };
}

/** The beats of a fall, from the moment its winning symbols are marked: how long they are seen, vanish, and others fall. */
export const fallBeats = { mark: 700, vanish: 180, fall: 260, rest: 200 } as const;

export const fallLength = fallBeats.mark + fallBeats.vanish + fallBeats.fall + fallBeats.rest;

/** How far a fall is, each part from 0 to 1. */
export function fallAt(time: number): { vanished: number; fallen: number; over: boolean } {
  const part = (from: number, length: number): number =>
    Math.max(0, Math.min(1, (time - from) / length));
  const { mark, vanish, fall } = fallBeats;
  // What falls gathers speed.
  return {
    vanished: part(mark, vanish),
    fallen: part(mark + vanish, fall) ** 2,
    over: time >= fallLength,
  };
}

/** How long a result stands before the next free round turns, and how long their announcement is read. */
export const pauses = { betweenFree: 900, won: 1700, award: 2600 } as const;

/** Where a reel is: the strip's place at its top, in symbols, what it swings over in pixels, and how fast it is, 0 to 1. */
export type Turn = { top: number; swing: number; pace: number };

/** How far a reel has run. */
function run(time: number): Omit<Turn, 'swing'> {
  const pulled = time - beats.press;
  if (pulled <= 0) return { top: 0, pace: 0 };
  // Symbols come from above: the strip's place at the top goes down as the reel runs, and up as it is drawn back.
  if (pulled < beats.pullBack) return { top: back * easeOut(pulled / beats.pullBack), pace: 0 };
  const gained = Math.min(pulled - beats.pullBack, beats.accelerate);
  const whole = Math.max(0, time - running);
  const pace = gained / beats.accelerate;
  return { top: back - (speed / 1000) * ((gained * pace) / 2 + whole), pace };
}

/**
 * A reel at a time: from where it stood, over running as long as the answer is not there, to the stop it was given.
 * While it runs too fast to be read it changes over to the piece of its strip that ends at the stop.
 */
export function turnAt(
  time: number,
  from: number,
  to: { stop: number; at: number } | null,
  answered = 0,
): Turn {
  if (!to || time < Math.max(answered, running)) {
    const { top, pace } = run(time);
    return { top: from + top, swing: 0, pace };
  }
  if (time < to.at) {
    return { top: to.stop + (speed / 1000) * (to.at - time), swing: 0, pace: 1 };
  }
  const part = Math.min(1, (time - to.at) / beats.overshoot);
  return { top: to.stop, swing: swing * Math.sin(part * Math.PI) * (1 - part / 3), pace: 0 };
}
