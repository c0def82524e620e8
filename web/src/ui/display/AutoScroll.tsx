import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type ReactNode } from 'react';

import { useReducedMotion } from '../../lib/motion.ts';
import { IconButton } from '../IconButton.tsx';

import styles from './AutoScroll.module.css';

export type AutoScrollProps = {
  /** The accessible name. */
  label: string;
  count: number;
  /** Rows visible at once. A longer list scrolls. */
  seen: number;
  /** Time for each row. */
  rowMs: number;
  className?: string | undefined;
  children: ReactNode;
};

/** A list that scrolls by itself, row by row, unless it is used, paused or motion is reduced. */
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
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard scrolling needs the focus
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

function advance(list: HTMLElement): void {
  const row = list.firstElementChild?.getBoundingClientRect().height ?? 0;
  const end = list.scrollHeight - list.clientHeight - 1;
  const top = list.scrollTop >= end ? 0 : list.scrollTop + row;
  list.scrollTo({ top, behavior: 'smooth' });
}
