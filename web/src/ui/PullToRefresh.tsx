import { useEffect, useRef, useState } from 'react';

import { Icon } from './Icon.tsx';
import { Spinner } from './Spinner.tsx';

import styles from './PullToRefresh.module.css';

/** The pull distance that refreshes, and the maximum offset of the indicator. */
const refreshAtPx = 96;
const maxOffsetPx = 72;
/** A pull must be this much steeper than wide. */
const minSlope = 1.4;

export type PullToRefreshProps = {
  label: string;
  onRefresh: () => Promise<unknown>;
};

/** Refreshes a screen when it is pulled down by touch. The indicator moves without rendering. */
export function PullToRefresh({ label, onRefresh }: PullToRefreshProps) {
  const indicatorRef = useRef<HTMLDivElement>(null);
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
    const stop = followPull((distance) => {
      const indicator = indicatorRef.current;
      if (!indicator) return;
      indicator.style.setProperty('--pulled', String(Math.min(1, distance / refreshAtPx)));
      indicator.style.setProperty('--offset', `${Math.min(maxOffsetPx, distance * 0.6)}px`);
      indicator.toggleAttribute('data-ready', distance >= refreshAtPx);
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
    <div className={styles.container}>
      <div ref={indicatorRef} className={styles.indicator} data-busy={busy || undefined}>
        {busy ? <Spinner size={20} /> : <Icon name="arrow-clockwise" size={20} />}
      </div>
      <span role="status" className={styles.visuallyHidden}>
        {busy ? label : ''}
      </span>
    </div>
  );
}

/** Reports how far the page is pulled from its top, and when a pull ends far enough. Returns a cleanup function. */
function followPull(onPull: (distance: number) => void, onRelease: () => void): () => void {
  let start: { x: number; y: number } | null = null;
  let distance = 0;

  function onStart({ touches, target }: TouchEvent): void {
    const touch = touches.length === 1 ? touches[0] : undefined;
    const hasOwnScroll =
      target instanceof Element && target.closest('[data-own-scroll], [role="dialog"]');
    distance = 0;
    start =
      touch && !hasOwnScroll && window.scrollY <= 0 ? { x: touch.clientX, y: touch.clientY } : null;
  }

  function onMove({ touches }: TouchEvent): void {
    const touch = touches[0];
    if (!start || !touch) return;
    const down = touch.clientY - start.y;
    const across = Math.abs(touch.clientX - start.x);
    // A movement that starts upwards or sideways is not a pull.
    if (touches.length > 1 || (distance === 0 && (down < 0 || across * minSlope > down))) {
      start = null;
      return;
    }
    distance = Math.max(0, down);
    onPull(distance);
  }

  function onEnd({ type }: TouchEvent): void {
    if (!start) return;
    start = null;
    onPull(0);
    if (distance >= refreshAtPx && type === 'touchend') onRelease();
  }

  const options = { passive: true } as const;
  document.addEventListener('touchstart', onStart, options);
  document.addEventListener('touchmove', onMove, options);
  document.addEventListener('touchend', onEnd, options);
  document.addEventListener('touchcancel', onEnd, options);
  return () => {
    document.removeEventListener('touchstart', onStart);
    document.removeEventListener('touchmove', onMove);
    document.removeEventListener('touchend', onEnd);
    document.removeEventListener('touchcancel', onEnd);
  };
}
