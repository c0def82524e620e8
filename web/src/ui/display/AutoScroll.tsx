import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type ReactNode } from 'react';

import { useReducedMotion } from '../../lib/motion.ts';
import { IconButton } from '../IconButton.tsx';

import styles from './AutoScroll.module.css';

export type AutoScrollProps = {
  /** What the list is, for screen readers. */
  label: string;
  count: number;
  /** No more than these are seen at once; with no more of them nothing moves. */
  seen: number;
  /** A row moves past in this time. */
  rowMs: number;
  className?: string | undefined;
  /** The rows, each a list item. */
  children: ReactNode;
};

/**
 * A list that moves on by a row at a time, and can be scrolled by hand. It waits under a finger or the focus, stops at
 * its button, and never moves for who wants no motion.
 */
export function AutoScroll({ label, count, seen, rowMs, className, children }: AutoScrollProps) {
  const { t } = useLingui();
  const list = useRef<HTMLUListElement>(null);
  const still = useReducedMotion();
  const [paused, setPaused] = useState(false);
  const long = count > seen;
  const moves = long && !still && !paused;

  useEffect(() => {
    const element = list.current;
    if (!moves || !element) return;
    const timer = setInterval(() => {
      if (document.hidden || element.matches(':hover, :focus-within, :active')) return;
      advance(element);
    }, rowMs);
    return () => clearInterval(timer);
  }, [moves, rowMs]);

  return (
    <div className={className}>
      <ul
        ref={list}
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it too
        tabIndex={long ? 0 : undefined}
        data-scrolls={long || undefined}
        className={styles.list}
        style={{ '--seen': seen }}
      >
        {children}
      </ul>
      {long && !still && (
        <IconButton
          icon={paused ? 'play-fill' : 'pause-fill'}
          iconSize={12}
          label={paused ? t`Start the movement` : t`Stop the movement`}
          onPress={() => setPaused(!paused)}
          className={styles.pause}
        />
      )}
    </div>
  );
}

/** One row further, and from the end to the beginning. */
function advance(list: HTMLElement): void {
  const row = list.firstElementChild?.getBoundingClientRect().height ?? 0;
  const end = list.scrollHeight - list.clientHeight - 1;
  const top = list.scrollTop >= end ? 0 : list.scrollTop + row;
  list.scrollTo({ top, behavior: 'smooth' });
}
