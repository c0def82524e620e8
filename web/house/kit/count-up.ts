/** Returns the amount to show after a share of the time, rounded down to the currency's smallest unit. */
export function countAt(amount: number, part: number, decimals: number): number {
  if (part >= 1) return amount;
  const unit = 10 ** decimals;
  const eased = 1 - (1 - Math.max(0, part)) ** 3;
  return Math.floor(amount * unit * eased) / unit;
}

/** Counts up to an amount. Returns a function that skips to the end. Calls `done` once. */
export function countUp(
  amount: number,
  ms: number,
  decimals: number,
  show: (amount: number) => void,
  done: () => void,
): () => void {
  let running = true;
  const startedAt = performance.now();
  const finish = (): void => {
    if (!running) return;
    running = false;
    show(amount);
    done();
  };
  const step = (now: number): void => {
    if (!running) return;
    const part = (now - startedAt) / ms;
    if (part >= 1) {
      finish();
      return;
    }
    show(countAt(amount, part, decimals));
    requestAnimationFrame(step);
  };
  if (ms <= 0) finish();
  else requestAnimationFrame(step);
  return finish;
}
