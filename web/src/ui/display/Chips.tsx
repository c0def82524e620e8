import type { ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';

import styles from './Chips.module.css';

export type ChipsProps<T extends string> = {
  label: string;
  options: readonly { value: T; label: ReactNode; disabled?: boolean }[];
  value: T | null;
  onChange: (value: T) => void;
  /** Wraps to more lines instead of scrolling sideways. */
  wrap?: boolean | undefined;
  className?: string | undefined;
};

export function Chips<T extends string>(props: ChipsProps<T>) {
  const { label, options, value, onChange, wrap, className } = props;
  return (
    <div
      role="group"
      aria-label={label}
      className={cx(styles.chips, wrap && styles.wrap, className)}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          disabled={option.disabled}
          onClick={() => onChange(option.value)}
          className={styles.chip}
        >
          <span className={styles.face}>{option.label}</span>
        </button>
      ))}
    </div>
  );
}
