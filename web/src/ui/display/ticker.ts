/** One timer for all elements with the same interval. */
type Ticker = { timer: ReturnType<typeof setInterval>; callbacks: Set<() => void> };

const tickers = new Map<number, Ticker>();

function subscribe(intervalMs: number, write: () => void): void {
  let ticker = tickers.get(intervalMs);
  if (!ticker) {
    const callbacks = new Set<() => void>();
    const runAll = () => {
      if (!document.hidden) for (const callback of callbacks) callback();
    };
    ticker = { timer: setInterval(runAll, intervalMs), callbacks };
    tickers.set(intervalMs, ticker);
  }
  ticker.callbacks.add(write);
}

function unsubscribe(intervalMs: number, write: () => void): void {
  const ticker = tickers.get(intervalMs);
  if (!ticker) return;
  ticker.callbacks.delete(write);
  if (ticker.callbacks.size > 0) return;
  clearInterval(ticker.timer);
  tickers.delete(intervalMs);
}

/** Calls `write` at every tick while an element is visible. Returns a cleanup function. */
export function tickWhileVisible(
  element: Element,
  intervalMs: number,
  write: () => void,
): () => void {
  const observer = new IntersectionObserver((entries) => {
    if (entries.at(-1)?.isIntersecting) {
      write();
      subscribe(intervalMs, write);
    } else {
      unsubscribe(intervalMs, write);
    }
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    unsubscribe(intervalMs, write);
  };
}
