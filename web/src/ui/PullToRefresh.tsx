import { useEffect, useRef, useState } from 'react';

import { Icon } from './Icon.tsx';
import { Spinner } from './Spinner.tsx';

import styles from './PullToRefresh.module.css';

/** How far the finger has to go, and how far the mark follows it at most. */
const enough = 96;
const furthest = 72;
/** A finger that goes more to the side than down means something else. */
const slope = 1.4;

export type PullToRefreshProps = {
  /** Said while it loads. */
  label: string;
  onRefresh: () => Promise<unknown>;
};

/**
 * Loads a screen anew when it is pulled down from its top. Only for fingers: who has none has the browser's own
 * button. Nothing is rendered while the finger moves.
 */
export function PullToRefresh({ label, onRefresh }: PullToRefreshProps) {
  const mark = useRef<HTMLDivElement>(null);
  const latest = useRef(onRefresh);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    latest.current = onRefresh;
  }, [onRefresh]);

  useEffect(() => {
    if (busy) return;
    const root = document.documentElement;
    // The browser's own pull would load the whole page.
    root.style.overscrollBehaviorY = 'contain';
    const stop = followPull((way) => {
      const shown = mark.current;
      if (!shown) return;
      shown.style.setProperty('--pulled', String(Math.min(1, way / enough)));
      shown.style.setProperty('--way', `${Math.min(furthest, way * 0.6)}px`);
      shown.toggleAttribute('data-enough', way >= enough);
    }, refresh);

    function refresh(): void {
      setBusy(true);
      void latest
        .current()
        .catch(() => {})
        .finally(() => setBusy(false));
    }
    return () => {
      stop();
      root.style.removeProperty('overscroll-behavior-y');
    };
  }, [busy]);

  return (
    <div className={styles.place}>
      <div ref={mark} className={styles.mark} data-busy={busy || undefined}>
        {busy ? <Spinner size={20} /> : <Icon name="arrow-clockwise" size={20} />}
      </div>
      <span role="status" className={styles.spoken}>
        {busy ? label : ''}
      </span>
    </div>
  );
}

/** Tells how far a finger has pulled the page down from its top, and when that was far enough. */
function followPull(tell: (way: number) => void, done: () => void): () => void {
  let start: { x: number; y: number } | null = null;
  let way = 0;

  function begin({ touches, target }: TouchEvent): void {
    const touch = touches.length === 1 ? touches[0] : undefined;
    const own = target instanceof Element && target.closest('[data-own-scroll], [role="dialog"]');
    way = 0;
    start = touch && !own && window.scrollY <= 0 ? { x: touch.clientX, y: touch.clientY } : null;
  }

  function move({ touches }: TouchEvent): void {
    const touch = touches[0];
    if (!start || !touch) return;
    const down = touch.clientY - start.y;
    const across = Math.abs(touch.clientX - start.x);
    // Once it goes up or to the side it is no pull, whatever follows.
    if (touches.length > 1 || (way === 0 && (down < 0 || across * slope > down))) {
      start = null;
      return;
    }
    way = Math.max(0, down);
    tell(way);
  }

  function end({ type }: TouchEvent): void {
    if (!start) return;
    start = null;
    tell(0);
    if (way >= enough && type === 'touchend') done();
  }

  const options = { passive: true } as const;
  document.addEventListener('touchstart', begin, options);
  document.addEventListener('touchmove', move, options);
  document.addEventListener('touchend', end, options);
  document.addEventListener('touchcancel', end, options);
  return () => {
    document.removeEventListener('touchstart', begin);
    document.removeEventListener('touchmove', move);
    document.removeEventListener('touchend', end);
    document.removeEventListener('touchcancel', end);
  };
}
