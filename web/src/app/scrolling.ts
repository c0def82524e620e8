/** A page scrolled by at most this many pixels counts as being at the top, because phones overscroll. */
const topTolerancePx = 4;
/** Scrolling ends when the page has not moved for this time. */
const restMs = 180;

const listeners = new Set<(position: number) => void>();
/** Reading window.scrollY between two frames would force a layout. */
let lastPosition = 0;

addEventListener('scroll', notifyListeners, { passive: true });

function notifyListeners(): void {
  lastPosition = window.scrollY;
  for (const listener of listeners) listener(lastPosition);
}

/** Calls a listener with the position on every scroll. Returns a function that removes it. */
export function onScroll(listener: (position: number) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Sets data-scrolled on an element while the page is not at the top. It causes no render. */
export function markScrolled(element: HTMLElement): () => void {
  const update = (position: number) => {
    const scrolled = position > topTolerancePx;
    if (scrolled !== 'scrolled' in element.dataset) element.toggleAttribute('data-scrolled');
  };
  update(lastPosition);
  return onScroll(update);
}

/** Sets data-moving on an element while the page scrolls. */
export function markWhileScrolling(element: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let movedAt = 0;
  const settle = () => {
    const idle = performance.now() - movedAt;
    timer = idle < restMs ? setTimeout(settle, restMs - idle) : undefined;
    if (!timer) element.removeAttribute('data-moving');
  };
  const stop = onScroll((position) => {
    // A change of the page's length near its top also causes scroll events.
    if (position <= topTolerancePx) return;
    movedAt = performance.now();
    if (timer) return;
    element.setAttribute('data-moving', '');
    timer = setTimeout(settle, restMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
