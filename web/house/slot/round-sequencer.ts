// Plays the scenes of a round one after another, each in full.
import { type Scene, scenesOf } from './scenes.ts';
import type { Round, Step } from './session.ts';
import type { Stage } from './stage.ts';
import { pauseMs } from './timing.ts';

type Hooks = {
  /** Called for every scene but the first: the paid spin starts with the tap. */
  sceneStarted: (scene: Scene) => void;
  finished: () => void;
};

export class RoundSequencer {
  readonly #stage: Pick<Stage, 'spin' | 'land' | 'fall' | 'showWins' | 'clear'>;
  readonly #hooks: Hooks;
  #scenes: readonly Scene[] = [];
  #index = 0;

  constructor(stage: Pick<Stage, 'spin' | 'land' | 'fall' | 'showWins' | 'clear'>, hooks: Hooks) {
    this.#stage = stage;
    this.#hooks = hooks;
  }

  /** Passes the stops to the reels, which are already spinning. */
  start(round: Pick<Round, 'spins'>, now: number): void {
    this.#scenes = scenesOf(round);
    this.#index = 0;
    this.#stage.land(round.spins[0]?.stops ?? null, now);
  }

  /** Call when the reels have stopped or the symbols have fallen. */
  movementEnded(): void {
    const scene = this.#scenes[this.#index];
    const next = this.#scenes[this.#index + 1];
    if (!scene || !next) {
      this.#hooks.finished();
      return;
    }
    if (next.kind === 'fall' || scene.kind === 'award') {
      this.#nextScene();
      return;
    }
    // Shows the wins of this spin before the reels turn again.
    const step = stepOf(scene);
    this.#stage.showWins(step, true, 0);
    this.#later(step.wins.length > 0 ? pauseMs.won : pauseMs.betweenFree, () => this.#nextScene());
  }

  #nextScene(): void {
    this.#index += 1;
    const scene = this.#scenes[this.#index];
    if (!scene) return;
    this.#hooks.sceneStarted(scene);
    switch (scene.kind) {
      case 'fall':
        this.#stage.fall(scene.from, scene.to);
        return;
      case 'award':
        this.#later(pauseMs.award, () => this.movementEnded());
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
