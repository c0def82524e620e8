// Functions that wait, or that refuse to run too often.

type Timed<A extends unknown[]> = ((...args: A) => void) & { cancel(): void };

/** Runs at once, then at most once per interval; a call in between is answered by one run at its end. */
export function throttle<A extends unknown[]>(run: (...args: A) => void, ms: number): Timed<A> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: A | undefined;

  function open(): void {
    timer = undefined;
    if (!waiting) return;
    const args = waiting;
    waiting = undefined;
    fire(args);
  }
  function fire(args: A): void {
    timer = setTimeout(open, ms);
    run(...args);
  }

  return Object.assign(
    (...args: A) => {
      if (timer === undefined) fire(args);
      else waiting = args;
    },
    {
      cancel() {
        clearTimeout(timer);
        timer = undefined;
        waiting = undefined;
      },
    },
  );
}

/** Runs once calls have stopped for the given time, with the last call's arguments. */
export function debounce<A extends unknown[]>(run: (...args: A) => void, ms: number): Timed<A> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return Object.assign(
    (...args: A) => {
      clearTimeout(timer);
      timer = setTimeout(run, ms, ...args);
    },
    { cancel: () => clearTimeout(timer) },
  );
}
