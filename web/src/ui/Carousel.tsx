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
  const reducedMotion = useReducedMotion();
  const hasSeveral = items.length > 1;
  const canAutoplay = hasSeveral && !reducedMotion;
  const [paused, setPaused] = useState(false);
  const [pauses, setPause] = useReducer(
    (all: Pauses, change: Pauses) => ({ ...all, ...change }),
    {},
  );
  const isPlaying = canAutoplay && !paused && !Object.values(pauses).includes(true);
  const [viewport, embla] = useEmblaCarousel({
    loop: hasSeveral,
    direction,
    watchDrag: hasSeveral,
    duration: reducedMotion ? 0 : 25,
  });
  const [selected, setSelected] = useState(0);

  useEffect(() => {
    if (!embla) return;
    const onSelect = () => setSelected(embla.selectedScrollSnap());
    onSelect();
    embla.on('select', onSelect).on('reInit', onSelect);
    return () => void embla.off('select', onSelect).off('reInit', onSelect);
  }, [embla]);

  useEffect(() => {
    if (!embla) return;
    const onPointerDown = () => setPause({ finger: true });
    const onPointerUp = () => setPause({ finger: false });
    // Embla reports only keyboard focus.
    const onFocus = () => setPause({ focus: true });
    const onVisibilityChange = () => setPause({ hidden: document.visibilityState === 'hidden' });
    onVisibilityChange();
    document.addEventListener('visibilitychange', onVisibilityChange);
    embla
      .on('pointerDown', onPointerDown)
      .on('pointerUp', onPointerUp)
      .on('slideFocusStart', onFocus);
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange);
      embla
        .off('pointerDown', onPointerDown)
        .off('pointerUp', onPointerUp)
        .off('slideFocusStart', onFocus);
    };
  }, [embla]);

  // Loads the next picture early and waits for it, so no slide appears half loaded.
  useEffect(() => {
    if (!embla || !isPlaying) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    const scheduleNext = () => {
      if (isCurrent) timer = setTimeout(() => embla.scrollNext(), slideMs);
    };
    const slides = embla.slideNodes();
    const next = slides[(selected + 1) % slides.length]?.querySelector('img');
    if (!next || next.complete) scheduleNext();
    else {
      next.loading = 'eager';
      // A picture that fails to load does not stop the carousel.
      void next.decode().then(scheduleNext, scheduleNext);
    }
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [embla, isPlaying, selected]);

  return (
    <section aria-label={label} className={cx(styles.carousel, className)}>
      {canAutoplay && (
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
      {hasSeveral && (
        <div aria-hidden="true" className={cx(styles.dots, canAutoplay && styles.nextToButton)}>
          {items.map((item, index) => (
            <i key={keyOf(item)} className={cx(styles.dot, index === selected && styles.on)} />
          ))}
        </div>
      )}
    </section>
  );
}
