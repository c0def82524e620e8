// When lists of lottery games are loaded again: after the next draw of any game.

const minReadMs = 2000;
const maxReadMs = 60_000;

/** The delay between a draw and the reload of the lists, by when the result is published. */
const resultDelayMs = 1500;

/** The maximum random delay after a draw, so that clients do not reload at the same time. */
export const maxDrawJitterMs = 4000;
const drawJitterMs = Math.random() * maxDrawJitterMs;

/** Returns the time until the lists are loaded again, for the times until the next draws of the games. */
export function untilReload(untilDraws: readonly number[]): number {
  const waits = untilDraws.map((untilDraw) => untilDraw + resultDelayMs + drawJitterMs);
  return Math.max(minReadMs, Math.min(maxReadMs, ...waits));
}
