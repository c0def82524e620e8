/** A swipe must start this close to the edge, in pixels. */
const edgePx = 24;
/** The minimum distance of a swipe, and its minimum ratio of horizontal to vertical movement. */
const distancePx = 56;
const minRatio = 1.5;

/** Calls `onSwipe` when a finger swipes in from the start edge. */
export function followEdgeSwipe(onSwipe: () => void): () => void {
  let start: { x: number; y: number } | null = null;

  function begin({ touches }: TouchEvent) {
    const touch = touches.length === 1 ? touches[0] : undefined;
    start = null;
    if (!touch) return;
    const fromEdge = rtl() ? window.innerWidth - touch.clientX : touch.clientX;
    if (fromEdge <= edgePx) start = { x: touch.clientX, y: touch.clientY };
  }

  function end({ changedTouches }: TouchEvent) {
    const touch = changedTouches[0];
    if (!start || !touch) return;
    const horizontal = (touch.clientX - start.x) * (rtl() ? -1 : 1);
    const vertical = Math.abs(touch.clientY - start.y);
    start = null;
    if (horizontal >= distancePx && horizontal >= vertical * minRatio) onSwipe();
  }

  document.addEventListener('touchstart', begin, { passive: true });
  document.addEventListener('touchend', end, { passive: true });
  return () => {
    document.removeEventListener('touchstart', begin);
    document.removeEventListener('touchend', end);
  };
}

function rtl(): boolean {
  return document.documentElement.dir === 'rtl';
}
