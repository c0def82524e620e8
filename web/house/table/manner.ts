// How the player wants the table: with or without sound, knocks and movement. The app says it, the device may too.
import { type Settings, tell } from '../kit/bridge.ts';
import { setHaptics } from '../kit/haptics.ts';
import { setSound } from '../kit/sound.ts';

export class Manner {
  #sound = true;
  #still = false;
  readonly #device = matchMedia('(prefers-reduced-motion: reduce)');

  constructor() {
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
  }
}
