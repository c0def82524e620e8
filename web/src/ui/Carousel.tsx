import { useLingui } from '@lingui/react/macro';
import useEmblaCarousel from 'embla-carousel-react';
import { useEffect, useReducer, useState, type ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { useDirection } from '../lib/direction.ts';
import { useReducedMotion } from '../lib/motion.ts';
import { IconButton } from './IconButton.tsx';

import styles from './Carousel.module.css';

const slideMs = 5000;

export type CarouselProps<T> = {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  renderItem: (item: T, index: number) => ReactNode;
  className?: string | undefined;
};

type Pauses = Partial<Record<'finger' | 'mouse' | 'focus' | 'hidden', boolean>>;

/** Slides that loop and advance every five seconds, unless paused or motion is reduced. */
export function Carousel<T>({ label, items, keyOf, renderItem, className }: CarouselProps<T>) {
  const { t } = useLingui();
  const direction = useDirection();
  const still = useReducedMotion();
  const several = items.length > 1;
  const moves = several && !still;
  const [paused, setPaused] = useState(false);
  const [pauses, setPause] = useReducer(
    (all: Pauses, change: Pauses) => ({ ...all, ...change }),
    {},
  );
  const plays = moves && !paused && !Object.values(pauses).includes(true);
  const [viewport, embla] = useEmblaCarousel({
    loop: several,
    direction,
    watchDrag: several,
    duration: still ? 0 : 25,
  });
  const [selected, setSelected] = useState(0);

  useEffect(() => {
    if (!embla) return;
    const follow = () => setSelected(embla.selectedScrollSnap());
    follow();
    embla.on('select', follow).on('reInit', follow);
    return () => void embla.off('select', follow).off('reInit', follow);
  }, [embla]);

  useEffect(() => {
    if (!embla) return;
    const touch = () => setPause({ finger: true });
    const leave = () => setPause({ finger: false });
    // Embla reports only focus by keyboard.
    const enter = () => setPause({ focus: true });
    const look = () => setPause({ hidden: document.visibilityState === 'hidden' });
    look();
    document.addEventListener('visibilitychange', look);
    embla.on('pointerDown', touch).on('pointerUp', leave).on('slideFocusStart', enter);
    return () => {
      document.removeEventListener('visibilitychange', look);
      embla.off('pointerDown', touch).off('pointerUp', leave).off('slideFocusStart', enter);
    };
  }, [embla]);

  // Loads the next picture early and waits for it, so no slide appears half loaded.
  useEffect(() => {
    if (!embla || !plays) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    const wait = () => {
      if (wanted) timer = setTimeout(() => embla.scrollNext(), slideMs);
    };
    const slides = embla.slideNodes();
    const next = slides[(selected + 1) % slides.length]?.querySelector('img');
    if (!next || next.complete) wait();
    else {
      next.loading = 'eager';
      // A picture that fails to load does not stop the carousel.
      void next.decode().then(wait, wait);
    }
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [embla, plays, selected]);

  return (
    <section aria-label={label} className={cx(styles.carousel, className)}>
      {moves && (
        <IconButton
          variant="art"
          icon={paused ? 'play-fill' : 'pause-fill'}
          iconSize={12}
          label={paused ? t`Start the movement` : t`Stop the movement`}
          onPress={() => setPaused(!paused)}
          className={styles.pause}
        />
      )}
      <div
        ref={viewport}
        className={styles.viewport}
        onMouseEnter={() => setPause({ mouse: true })}
        onMouseLeave={() => setPause({ mouse: false })}
        onBlur={() => setPause({ focus: false })}
      >
        <ul className={styles.track}>
          {items.map((item, index) => (
            <li key={keyOf(item)} className={styles.slide}>
              {renderItem(item, index)}
            </li>
          ))}
        </ul>
      </div>
      {several && (
        <div aria-hidden="true" className={cx(styles.dots, moves && styles.beside)}>
          {items.map((item, index) => (
            <i key={keyOf(item)} className={cx(styles.dot, index === selected && styles.on)} />
          ))}
        </div>
      )}
    </section>
  );
}
