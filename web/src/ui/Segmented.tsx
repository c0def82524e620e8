import { useId, type ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';

import styles from './Segmented.module.css';

export type SegmentedProps<T extends string> = {
  label: string;
  options: readonly { value: T; label: ReactNode; icon?: IconName }[];
  value: T;
  onChange: (value: T) => void;
  /** Height in pixels: md is 50, sm is 46. */
  size?: 'md' | 'sm';
  className?: string | undefined;
};

/** A choice of a few options. Uses radio buttons, so arrow keys work. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const { label, options, value, onChange, size = 'md', className } = props;
  const name = useId();
  const selected = options.findIndex((option) => option.value === value);
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cx(styles.segmented, styles[size], className)}
    >
      {selected >= 0 && (
        <span
          aria-hidden="true"
          className={styles.thumb}
          style={{ '--at': selected, '--of': options.length }}
        />
      )}
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className={styles.radio}
          />
          {option.icon && <Icon name={option.icon} size={18} />}
          {option.label}
        </label>
      ))}
    </div>
  );
}
