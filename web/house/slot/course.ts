// Leads the stage through a round: one scene after another, each as long as it takes. There is no way to hurry it.
import { type Scene, scenesOf } from './scenes.ts';
import type { Round, Step } from './session.ts';
import type { Stage } from './stage.ts';
import { pauses } from './timing.ts';

type Hooks = {
  /** A scene begins; the paid turn is not among them: it began with the tap. */
  begins: (scene: Scene) => void;
  /** All has been told. */
  ended: () => void;
};

export class Course {
  readonly #stage: Pick<Stage, 'spin' | 'land' | 'fall' | 'show' | 'clear'>;
  readonly #hooks: Hooks;
  #scenes: readonly Scene[] = [];
  #at = 0;

  constructor(stage: Pick<Stage, 'spin' | 'land' | 'fall' | 'show' | 'clear'>, hooks: Hooks) {
    this.#stage = stage;
    this.#hooks = hooks;
  }

  /** The reels turn already: they learn where to stop. */
  begin(round: Pick<Round, 'spins'>, now: number): void {
    this.#scenes = scenesOf(round);
    this.#at = 0;
    this.#stage.land(round.spins[0]?.stops ?? null, now);
  }

  /** What moved has come to rest. */
  moved(): void {
    const scene = this.#scenes[this.#at];
    const next = this.#scenes[this.#at + 1];
    if (!scene || !next) {
      this.#hooks.ended();
      return;
    }
    if (next.kind === 'fall' || scene.kind === 'award') {
      this.#go();
      return;
    }
    // What this spin has won is seen before the reels turn again.
    const step = stepOf(scene);
    this.#stage.show(step, true, 0);
    this.#later(step.wins.length > 0 ? pauses.won : pauses.betweenFree, () => this.#go());
  }

  #go(): void {
    this.#at += 1;
    const scene = this.#scenes[this.#at];
    if (!scene) return;
    this.#hooks.begins(scene);
    switch (scene.kind) {
      case 'fall':
        this.#stage.fall(scene.from, scene.to);
        return;
      case 'award':
        this.#later(pauses.award, () => this.moved());
        return;
      case 'turn': {
        const now = performance.now();
        this.#stage.spin(now);
        this.#stage.land(scene.spin.stops, now);
      }
    }
  }

  #later(ms: number, then: () => void): void {
    setTimeout(then, ms);
  }
}

const stepOf = (scene: Scene): Step => (scene.kind === 'fall' ? scene.to : scene.step);
