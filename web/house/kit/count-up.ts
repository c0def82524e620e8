// An amount that grows to what was won. It can be skipped, and ends exactly at the amount.

/** What is shown after a part of the time: never more than the amount, whole steps of the smallest unit. */
export function countAt(amount: number, part: number, decimals: number): number {
  if (part >= 1) return amount;
  const unit = 10 ** decimals;
  const eased = 1 - (1 - Math.max(0, part)) ** 3;
  return Math.floor(amount * unit * eased) / unit;
}

/** Runs the count. Returns what skips to its end; done is called once, however it ends. */
export function countUp(
  amount: number,
  ms: number,
  decimals: number,
  show: (amount: number) => void,
  done: () => void,
): () => void {
  let running = true;
  const begun = performance.now();
  const end = (): void => {
    if (!running) return;
    running = false;
    show(amount);
    done();
  };
  const step = (now: number): void => {
    if (!running) return;
    const part = (now - begun) / ms;
    if (part >= 1) {
      end();
      return;
    }
    show(countAt(amount, part, decimals));
    requestAnimationFrame(step);
  };
  if (ms <= 0) end();
  else requestAnimationFrame(step);
  return end;
}
