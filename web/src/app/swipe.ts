/** How near to the edge a swipe begins that opens the menu. */
const edge = 24;
/** How far the finger has to go, and how much further along the line than across it. */
const distance = 56;
const straightness = 1.5;

/** Calls back when a finger swipes in from the edge where lines begin. */
export function followEdgeSwipe(onSwipe: () => void): () => void {
  let start: { x: number; y: number } | null = null;

  function begin({ touches }: TouchEvent) {
    const touch = touches.length === 1 ? touches[0] : undefined;
    start = null;
    if (!touch) return;
    const fromEdge = rtl() ? window.innerWidth - touch.clientX : touch.clientX;
    if (fromEdge <= edge) start = { x: touch.clientX, y: touch.clientY };
  }

  function end({ changedTouches }: TouchEvent) {
    const touch = changedTouches[0];
    if (!start || !touch) return;
    const along = (touch.clientX - start.x) * (rtl() ? -1 : 1);
    const across = Math.abs(touch.clientY - start.y);
    start = null;
    if (along >= distance && along >= across * straightness) onSwipe();
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
