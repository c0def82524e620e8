import autoplay from 'embla-carousel-autoplay';
import useEmblaCarousel from 'embla-carousel-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { useDirection } from '../lib/direction.ts';
import { useReducedMotion } from '../lib/motion.ts';

import styles from './Carousel.module.css';

/** How long a slide stays. */
const slideMs = 5000;

export type CarouselProps<T> = {
  /** What the slides are, for screen readers. */
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  renderItem: (item: T, index: number) => ReactNode;
  className?: string | undefined;
};

/**
 * Slides that loop and move on by themselves every five seconds. They wait while a finger or the focus is on
 * them and while the page is hidden; a single slide, or a reader who wants no motion, never sees them move alone.
 */
export function Carousel<T>({ label, items, keyOf, renderItem, className }: CarouselProps<T>) {
  const direction = useDirection();
  const still = useReducedMotion();
  const several = items.length > 1;
  const plugins = useMemo(
    () =>
      several && !still
        ? [autoplay({ delay: slideMs, stopOnInteraction: false, stopOnMouseEnter: true })]
        : [],
    [several, still],
  );
  const [viewport, embla] = useEmblaCarousel(
    { loop: several, direction, watchDrag: several, duration: still ? 0 : 25 },
    plugins,
  );
  const [selected, setSelected] = useState(0);

  useEffect(() => {
    if (!embla) return;
    const follow = () => setSelected(embla.selectedScrollSnap());
    follow();
    embla.on('select', follow).on('reInit', follow);
    return () => void embla.off('select', follow).off('reInit', follow);
  }, [embla]);

  return (
    <section aria-label={label} className={cx(styles.carousel, className)}>
      <div ref={viewport} className={styles.viewport}>
        <ul className={styles.track}>
          {items.map((item, index) => (
            <li key={keyOf(item)} className={styles.slide}>
              {renderItem(item, index)}
            </li>
          ))}
        </ul>
      </div>
      {several && (
        <div aria-hidden="true" className={styles.dots}>
          {items.map((item, index) => (
            <i key={keyOf(item)} className={cx(styles.dot, index === selected && styles.on)} />
          ))}
        </div>
      )}
    </section>
  );
}
