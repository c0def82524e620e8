// The player's sound, vibration and motion settings, from the app and the device.
import { type Settings, sendToApp } from './bridge.ts';
import { setHaptics } from './haptics.ts';
import { isMotionReduced } from './motion.ts';
import { setSoundEnabled } from './sound.ts';

export class PlayerPreferences {
  #sound = true;
  #appReducedMotion = false;
  readonly #systemPreference = matchMedia('(prefers-reduced-motion: reduce)');

  readonly #onMotionChange: (reduced: boolean) => void;

  constructor(onMotionChange: (reduced: boolean) => void = () => {}) {
    this.#onMotionChange = onMotionChange;
    this.#systemPreference.addEventListener('change', () => this.#updateMotion());
    this.#updateMotion();
  }

  get sound(): boolean {
    return this.#sound;
  }

  apply({ theme, sound, haptics, reducedMotion }: Settings): void {
    document.documentElement.dataset.theme = theme;
    this.#sound = sound;
    setSoundEnabled(sound);
    setHaptics(haptics);
    this.#appReducedMotion = reducedMotion;
    this.#updateMotion();
  }

  toggleSound(): void {
    this.#sound = !this.#sound;
    setSoundEnabled(this.#sound);
    sendToApp({ type: 'preference', sound: this.#sound });
  }

  #updateMotion(): void {
    document.documentElement.dataset.calm = String(
      this.#appReducedMotion || this.#systemPreference.matches,
    );
    this.#onMotionChange(isMotionReduced());
  }
}
