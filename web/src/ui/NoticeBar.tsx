import { useLingui } from '@lingui/react/macro';
import { useCallback, useState, type MouseEvent } from 'react';

import { cx } from '../lib/cx.ts';
import { useReducedMotion } from '../lib/motion.ts';
import { Icon } from './Icon.tsx';

import styles from './NoticeBar.module.css';

/** Pixels a second: slow enough to read along. */
const speed = 40;

export type NoticeBarProps = {
  items: readonly { id: string; text: string }[];
  /** Where the notices can be read in full. */
  href: string;
  onPress?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  /** Said when there is no notice. */
  emptyText: string;
  className?: string | undefined;
};

/**
 * Notices running past in one line, without a gap between the end and the beginning. The text stands twice,
 * and the pair moves by one copy's width; only its transform changes. It halts under a finger or the focus, and
 * stops for good at the button that its icon is.
 */
export function NoticeBar({ items, href, onPress, emptyText, className }: NoticeBarProps) {
  const { t } = useLingui();
  const still = useReducedMotion();
  const moves = items.length > 0 && !still;
  const [paused, setPaused] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const measure = useCallback((copy: HTMLElement) => {
    // Tells the first width too, once the page is laid out: asking here would lay it out an extra time.
    const observer = new ResizeObserver(() => setSeconds(Math.round(copy.offsetWidth / speed)));
    observer.observe(copy);
    return () => observer.disconnect();
  }, []);

  const text = items.map((item) => (
    <span key={item.id} className={styles.item}>
      <bdi>{item.text}</bdi>{' '}
    </span>
  ));
  return (
    <div ref={restUnseen} className={cx(styles.bar, className)} data-paused={paused || undefined}>
      {moves ? (
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

/** Off the screen it stands still: what moves costs every frame in which the page is scrolled. */
function restUnseen(bar: HTMLDivElement): () => void {
  const observer = new IntersectionObserver(([place]) =>
    bar.toggleAttribute('data-unseen', place?.isIntersecting === false),
  );
  observer.observe(bar);
  return () => observer.disconnect();
}
