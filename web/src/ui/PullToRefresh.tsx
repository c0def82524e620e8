import { useEffect, useRef, useState } from 'react';

import { Icon } from './Icon.tsx';
import { Spinner } from './Spinner.tsx';

import styles from './PullToRefresh.module.css';

/** Pull distance that refreshes, and the largest offset of the indicator. */
const enough = 96;
const furthest = 72;
/** A pull must be this much steeper than wide. */
const slope = 1.4;

export type PullToRefreshProps = {
  /** Announced while refreshing. */
  label: string;
  onRefresh: () => Promise<unknown>;
};

/** Refreshes a screen when it is pulled down by touch. The indicator moves without rendering. */
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
    // Disables the browser's pull-to-refresh, which reloads the page.
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

/** Reports how far the page is pulled from its top, and when a pull ends far enough. Returns a cleanup function. */
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
    // A movement that starts upwards or sideways is not a pull.
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
