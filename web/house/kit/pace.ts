// Watches how smoothly a game runs, and says when it should do with less.

/** Below this many frames in a second, for this long, something is left out. */
const least = 45;
const window = 2000;
/** A pause this long was no slow frame: the page was not seen. */
const pause = 250;

export type Ease = 'none' | 'particles' | 'pixels';

const order: readonly Ease[] = ['none', 'particles', 'pixels'];

/** Takes the length of every frame, and tells what to leave out: first the particles, then pixels. */
export function paceGuard(): (frameMs: number) => Ease {
  let level = 0;
  let time = 0;
  let frames = 0;
  return (frameMs) => {
    if (frameMs >= pause) {
      time = 0;
      frames = 0;
      return order[level] ?? 'none';
    }
    time += frameMs;
    frames += 1;
    if (time >= window) {
      if ((frames * 1000) / time < least) level = Math.min(level + 1, order.length - 1);
      time = 0;
      frames = 0;
    }
    return order[level] ?? 'none';
  };
}
