/** One timer for all elements with the same interval. */
type Beat = { timer: ReturnType<typeof setInterval>; seen: Set<() => void> };

const beats = new Map<number, Beat>();

function join(every: number, write: () => void): void {
  let beat = beats.get(every);
  if (!beat) {
    const seen = new Set<() => void>();
    const all = () => {
      if (!document.hidden) for (const each of seen) each();
    };
    beat = { timer: setInterval(all, every), seen };
    beats.set(every, beat);
  }
  beat.seen.add(write);
}

function leave(every: number, write: () => void): void {
  const beat = beats.get(every);
  if (!beat) return;
  beat.seen.delete(write);
  if (beat.seen.size > 0) return;
  clearInterval(beat.timer);
  beats.delete(every);
}

/** Calls `write` at every tick while an element is visible. Returns a cleanup function. */
export function follow(element: Element, every: number, write: () => void): () => void {
  const observer = new IntersectionObserver((entries) => {
    if (entries.at(-1)?.isIntersecting) {
      write();
      join(every, write);
    } else {
      leave(every, write);
    }
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    leave(every, write);
  };
}
