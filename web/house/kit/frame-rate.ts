/** The quality is reduced when the frame rate stays below this value for this time. */
const minFps = 45;
const windowMs = 2000;
/** Longer frames mean that the page was hidden. */
const hiddenFrameMs = 250;

export type QualityReduction = 'none' | 'particles' | 'pixels';

const order: readonly QualityReduction[] = ['none', 'particles', 'pixels'];

/** Takes the duration of every frame. Returns what to reduce: first particles, then pixels. */
export function frameRateGuard(): (frameMs: number) => QualityReduction {
  let level = 0;
  let time = 0;
  let frames = 0;
  return (frameMs) => {
    if (frameMs >= hiddenFrameMs) {
      time = 0;
      frames = 0;
      return order[level] ?? 'none';
    }
    time += frameMs;
    frames += 1;
    if (time >= windowMs) {
      if ((frames * 1000) / time < minFps) level = Math.min(level + 1, order.length - 1);
      time = 0;
      frames = 0;
    }
    return order[level] ?? 'none';
  };
}
