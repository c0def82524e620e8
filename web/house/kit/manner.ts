// How the player wants the game: with or without sound, knocks and movement. The app says it, the device may too.
import { type Settings, tell } from './bridge.ts';
import { setHaptics } from './haptics.ts';
import { calm } from './motion.ts';
import { setSound } from './sound.ts';

export class Manner {
  #sound = true;
  #still = false;
  readonly #device = matchMedia('(prefers-reduced-motion: reduce)');

  readonly #onMotion: (still: boolean) => void;

  constructor(onMotion: (still: boolean) => void = () => {}) {
    this.#onMotion = onMotion;
    this.#device.addEventListener('change', () => this.#motion());
    this.#motion();
  }

  get sound(): boolean {
    return this.#sound;
  }

  follow({ theme, sound, haptics, reducedMotion }: Settings): void {
    document.documentElement.dataset.theme = theme;
    this.#sound = sound;
    setSound(sound);
    setHaptics(haptics);
    this.#still = reducedMotion;
    this.#motion();
  }

  toggleSound(): void {
    this.#sound = !this.#sound;
    setSound(this.#sound);
    tell({ type: 'preference', sound: this.#sound });
  }

  #motion(): void {
    document.documentElement.dataset.calm = String(this.#still || this.#device.matches);
    this.#onMotion(calm());
  }
}
