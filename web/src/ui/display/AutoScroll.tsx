import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type ReactNode } from 'react';

import { useReducedMotion } from '../../lib/motion.ts';
import { IconButton } from '../IconButton.tsx';

import styles from './AutoScroll.module.css';

export type AutoScrollProps = {
  label: string;
  count: number;
  /** Rows visible at once. A longer list scrolls. */
  visibleRows: number;
  rowMs: number;
  className?: string | undefined;
  children: ReactNode;
};

/** A list that scrolls by itself, row by row, unless it is used, paused or motion is reduced. */
export function AutoScroll({
  label,
  count,
  visibleRows,
  rowMs,
  className,
  children,
}: AutoScrollProps) {
  const { t } = useLingui();
  const list = useRef<HTMLUListElement>(null);
  const reducedMotion = useReducedMotion();
  const [paused, setPaused] = useState(false);
  const canScroll = count > visibleRows;
  const isScrolling = canScroll && !reducedMotion && !paused;

  useEffect(() => {
    const element = list.current;
    if (!isScrolling || !element) return;
    const timer = setInterval(() => {
      if (document.hidden || element.matches(':hover, :focus-within, :active')) return;
      scrollToNextRow(element);
    }, rowMs);
    return () => clearInterval(timer);
  }, [isScrolling, rowMs]);

  return (
    <div className={className}>
      <ul
        ref={list}
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard scrolling needs the focus
        tabIndex={canScroll ? 0 : undefined}
        data-scrolls={canScroll || undefined}
        className={styles.list}
        style={{ '--visible-rows': visibleRows }}
      >
        {children}
      </ul>
      {canScroll && !reducedMotion && (
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

function scrollToNextRow(list: HTMLElement): void {
  const row = list.firstElementChild?.getBoundingClientRect().height ?? 0;
  const end = list.scrollHeight - list.clientHeight - 1;
  const top = list.scrollTop >= end ? 0 : list.scrollTop + row;
  list.scrollTo({ top, behavior: 'smooth' });
}
