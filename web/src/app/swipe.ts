/** A swipe must start this close to the edge, in pixels. */
const edgePx = 24;
/** The minimum length of a swipe, in pixels. */
const minDistancePx = 56;
/** The minimum ratio of horizontal to vertical movement. */
const minRatio = 1.5;

/** Calls `onSwipe` when a finger swipes in from the start edge. */
export function followEdgeSwipe(onSwipe: () => void): () => void {
  let start: { x: number; y: number } | null = null;

  function onTouchStart({ touches }: TouchEvent) {
    const touch = touches.length === 1 ? touches[0] : undefined;
    start = null;
    if (!touch) return;
    const fromEdge = isRightToLeft() ? window.innerWidth - touch.clientX : touch.clientX;
    if (fromEdge <= edgePx) start = { x: touch.clientX, y: touch.clientY };
  }

  function onTouchEnd({ changedTouches }: TouchEvent) {
    const touch = changedTouches[0];
    if (!start || !touch) return;
    const horizontal = (touch.clientX - start.x) * (isRightToLeft() ? -1 : 1);
    const vertical = Math.abs(touch.clientY - start.y);
    start = null;
    if (horizontal >= minDistancePx && horizontal >= vertical * minRatio) onSwipe();
  }

  document.addEventListener('touchstart', onTouchStart, { passive: true });
  document.addEventListener('touchend', onTouchEnd, { passive: true });
  return () => {
    document.removeEventListener('touchstart', onTouchStart);
    document.removeEventListener('touchend', onTouchEnd);
  };
}

function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl';
}
