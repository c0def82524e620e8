// Sounds made of oscillators. Losses and near misses are silent, and every reel stops on the same note.

export type SoundName =
  | 'tap'
  | 'reelStart'
  | 'reelStop'
  | 'winSmall'
  | 'winMedium'
  | 'winLarge'
  | 'chipDrop'
  | 'cardSlide'
  | 'cardFlip'
  | 'diceShake'
  | 'lid'
  | 'lockTick'
  | 'wheel';

type Note = { at: number; hz: number; ms: number; gain: number; wave: OscillatorType; to?: number };

const chime = (notes: readonly number[], step: number, gain: number, from = 0, ms = 340): Note[] =>
  notes.map((hz, i) => ({ at: from + i * step, hz, ms, gain, wave: 'triangle' }));

/** Short knocks at uneven intervals, for dice or a ball. */
const rattle = (count: number, step: number, hz: number, gain: number): Note[] =>
  Array.from({ length: count }, (_, i) => ({
    at: i * step + ((i * 37) % 29),
    hz: hz * (1 + ((i * 13) % 7) / 10),
    to: hz * 0.6,
    ms: 34,
    gain: gain * (1 - i / (count * 1.6)),
    wave: 'square',
  }));

const soundNotes: Readonly<Record<SoundName, readonly Note[]>> = {
  tap: [{ at: 0, hz: 720, to: 520, ms: 40, gain: 0.12, wave: 'sine' }],
  reelStart: [{ at: 0, hz: 120, to: 260, ms: 240, gain: 0.1, wave: 'sawtooth' }],
  reelStop: [
    { at: 0, hz: 150, to: 70, ms: 90, gain: 0.22, wave: 'sine' },
    { at: 0, hz: 900, to: 400, ms: 24, gain: 0.05, wave: 'square' },
  ],
  winSmall: chime([659, 784, 988], 90, 0.12),
  winMedium: chime([523, 659, 784, 1047, 1319], 95, 0.13),
  winLarge: [
    ...chime([523, 659, 784, 1047, 1319, 1568], 110, 0.13),
    ...chime([1047, 1319, 1568], 0, 0.08, 760, 900),
  ],
  chipDrop: [
    { at: 0, hz: 2100, to: 1500, ms: 36, gain: 0.09, wave: 'triangle' },
    { at: 34, hz: 2600, to: 1900, ms: 44, gain: 0.06, wave: 'triangle' },
  ],
  cardSlide: [{ at: 0, hz: 460, to: 1300, ms: 130, gain: 0.035, wave: 'sawtooth' }],
  cardFlip: [
    { at: 0, hz: 900, to: 300, ms: 46, gain: 0.06, wave: 'square' },
    { at: 60, hz: 1500, to: 700, ms: 30, gain: 0.04, wave: 'triangle' },
  ],
  diceShake: rattle(14, 96, 640, 0.05),
  lid: [{ at: 0, hz: 980, to: 1480, ms: 320, gain: 0.07, wave: 'sine' }],
  lockTick: [{ at: 0, hz: 1180, ms: 50, gain: 0.08, wave: 'triangle' }],
  wheel: rattle(30, 150, 380, 0.03),
};

let context: AudioContext | null = null;
let enabled = true;

/** Browsers allow sound only after a tap. Call it on every tap. */
export function unlockSound(): void {
  if (!enabled || !('AudioContext' in window)) return;
  context ??= new AudioContext();
  if (context.state === 'suspended' && !document.hidden) void context.resume();
}

export function setSoundEnabled(on: boolean): void {
  enabled = on;
  if (!on) void context?.suspend();
}

export function muteWhileHidden(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) void context?.suspend();
    else resume();
  });
}

function resume(): void {
  if (enabled && context?.state === 'suspended') void context.resume();
}

export function playSound(name: SoundName): void {
  if (!enabled || !context || context.state !== 'running') return;
  for (const note of soundNotes[name]) playNote(context, note);
}

function playNote(audio: AudioContext, { at, hz, to, ms, gain, wave }: Note): void {
  const startTime = audio.currentTime + at / 1000;
  const stopTime = startTime + ms / 1000;
  const tone = audio.createOscillator();
  tone.type = wave;
  tone.frequency.setValueAtTime(hz, startTime);
  if (to !== undefined) tone.frequency.exponentialRampToValueAtTime(to, stopTime);
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(0, startTime);
  loudness.gain.linearRampToValueAtTime(gain, startTime + 0.008);
  loudness.gain.exponentialRampToValueAtTime(0.0001, stopTime);
  tone.connect(loudness).connect(audio.destination);
  tone.start(startTime);
  tone.stop(stopTime + 0.02);
}
