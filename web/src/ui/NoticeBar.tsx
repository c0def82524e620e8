import { useLingui } from '@lingui/react/macro';
import { useCallback, useState, type MouseEvent } from 'react';

import { cx } from '../lib/cx.ts';
import { onFirstInput } from '../lib/first-input.ts';
import { useReducedMotion } from '../lib/motion.ts';
import { Icon } from './Icon.tsx';

import styles from './NoticeBar.module.css';

/** Pixels per second. */
const pxPerSecond = 40;

export type NoticeBarProps = {
  items: readonly { id: string; text: string }[];
  href: string;
  onPress?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  emptyText: string;
  className?: string | undefined;
};

/** Notices in a marquee. The text is rendered twice and moves by one copy's width, so it wraps without a gap. */
export function NoticeBar({ items, href, onPress, emptyText, className }: NoticeBarProps) {
  const { t } = useLingui();
  const reducedMotion = useReducedMotion();
  const canMove = items.length > 0 && !reducedMotion;
  const [paused, setPaused] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const measure = useCallback((copy: HTMLElement) => {
    // Also reports the initial width, without forcing a layout here.
    const observer = new ResizeObserver(() =>
      setSeconds(Math.round(copy.offsetWidth / pxPerSecond)),
    );
    observer.observe(copy);
    return () => observer.disconnect();
  }, []);

  const text = items.map((item) => (
    <span key={item.id} className={styles.item}>
      <bdi>{item.text}</bdi>{' '}
    </span>
  ));
  return (
    <div
      ref={pauseAnimation}
      className={cx(styles.bar, className)}
      data-paused={paused || undefined}
    >
      {canMove ? (
        <button
          type="button"
          aria-label={paused ? t`Start the notices` : t`Stop the notices`}
          onClick={() => setPaused(!paused)}
          className={styles.pause}
        >
          <Icon name="megaphone-fill" size={17} className={styles.icon} />
          <Icon name={paused ? 'play-fill' : 'pause-fill'} size={10} />
        </button>
      ) : (
        <Icon name="megaphone-fill" size={17} className={cx(styles.icon, styles.alone)} />
      )}
      <a href={href} onClick={onPress} className={styles.link}>
        <span className={cx(styles.window, items.length > 0 && styles.running)}>
          {items.length === 0 ? (
            emptyText
          ) : (
            <span className={styles.track} style={{ '--run': `${seconds}s` }}>
              <span ref={measure} className={styles.copy}>
                {text}
              </span>
              <span aria-hidden="true" className={cx(styles.copy, styles.second)}>
                {text}
              </span>
            </span>
          )}
        </span>
      </a>
    </div>
  );
}

/** Stops the animation until the first input, because it would delay the first load, and off screen, where it would slow down scrolling. */
function pauseAnimation(bar: HTMLDivElement): () => void {
  bar.toggleAttribute('data-waiting', true);
  const cancel = onFirstInput(() => bar.removeAttribute('data-waiting'));
  const observer = new IntersectionObserver(([entry]) =>
    bar.toggleAttribute('data-offscreen', entry?.isIntersecting === false),
  );
  observer.observe(bar);
  return () => {
    cancel();
    observer.disconnect();
  };
}
