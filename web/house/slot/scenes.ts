// A round as it is told: one turn of the reels after another, and of a cascade one fall after another. The server has drawn
// all of it at once; here it is only put in order. Nothing is left out and nothing made shorter.
import type { Round, Spin, Step } from './session.ts';

export type Scene =
  /** The reels turn and stop; `back` is what came back before it. */
  | { kind: 'turn'; spin: Spin; step: Step; free: Free | null; back: number }
  /** What has won vanishes, and the rest falls after it. */
  | { kind: 'fall'; from: Step; to: Step; free: Free | null; back: number }
  /** Free rounds were won: they are announced before the first of them turns. */
  | { kind: 'award'; spin: Spin; step: Step; rounds: number; free: Free | null; back: number };

/** Which of the free rounds it is, and how many there are as far as is known by then. */
type Free = { number: number; of: number };

export function scenesOf({ spins }: Pick<Round, 'spins'>): Scene[] {
  const scenes: Scene[] = [];
  let back = 0;
  let number = 0;
  let of = 0;
  for (const spin of spins) {
    if (spin.free) number += 1;
    const free = spin.free ? { number, of } : null;
    for (const [i, step] of spin.steps.entries()) {
      const before = spin.steps[i - 1];
      scenes.push(
        before
          ? { kind: 'fall', from: before, to: step, free, back }
          : { kind: 'turn', spin, step, free, back },
      );
      back += step.win;
    }
    of += spin.awarded;
    const step = spin.steps.at(-1);
    if (spin.awarded > 0 && step) {
      scenes.push({
        kind: 'award',
        spin,
        step,
        rounds: spin.awarded,
        free: free && { number, of },
        back,
      });
    }
  }
  return scenes;
}

/** What stands on the reels when all has been told. */
export function lastOf({ spins }: Pick<Round, 'spins'>): { spin: Spin; step: Step } | null {
  const spin = spins.at(-1);
  const step = spin?.steps.at(-1);
  return spin && step ? { spin, step } : null;
}
