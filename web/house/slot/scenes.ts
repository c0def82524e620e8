// Splits a round into scenes: one per spin, and one per fall of a cascade. The server has already drawn the whole round.
import type { Round, Spin, Step } from './session.ts';

export type Scene =
  /** The reels turn and stop. `returnedSoFar` is the amount won before the scene. */
  | { kind: 'turn'; spin: Spin; step: Step; free: Free | null; returnedSoFar: number }
  /** Winning symbols vanish and the others fall. */
  | { kind: 'fall'; from: Step; to: Step; free: Free | null; returnedSoFar: number }
  /** Announces free rounds. */
  | {
      kind: 'award';
      spin: Spin;
      step: Step;
      rounds: number;
      free: Free | null;
      returnedSoFar: number;
    };

/** The number of the free round, and how many are awarded so far. */
type Free = { number: number; of: number };

export function scenesOf({ spins }: Pick<Round, 'spins'>): Scene[] {
  const scenes: Scene[] = [];
  let returnedSoFar = 0;
  let number = 0;
  let of = 0;
  for (const spin of spins) {
    if (spin.free) number += 1;
    const free = spin.free ? { number, of } : null;
    for (const [i, step] of spin.steps.entries()) {
      const before = spin.steps[i - 1];
      scenes.push(
        before
          ? { kind: 'fall', from: before, to: step, free, returnedSoFar }
          : { kind: 'turn', spin, step, free, returnedSoFar },
      );
      returnedSoFar += step.win;
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
        returnedSoFar,
      });
    }
  }
  return scenes;
}

export function finalStep({ spins }: Pick<Round, 'spins'>): { spin: Spin; step: Step } | null {
  const spin = spins.at(-1);
  const step = spin?.steps.at(-1);
  return spin && step ? { spin, step } : null;
}
