import type { ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';
import { Icon } from '../../ui/Icon.tsx';

import styles from './FilterSet.module.css';

export type FilterSetProps = {
  title: string;
  /** Shown next to the title, such as the number of choices. */
  note?: string | undefined;
  children: ReactNode;
};

export function FilterSet({ title, note, children }: FilterSetProps) {
  return (
    <fieldset className={styles.set}>
      <legend className={styles.title}>
        {title}
        {note && <span className={styles.note}>{note}</span>}
      </legend>
      {children}
    </fieldset>
  );
}

export type ChoiceProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** A second line. */
  detail?: string | undefined;
  small?: boolean;
  children: string;
};

export function Choice({ checked, onChange, detail, small, children }: ChoiceProps) {
  return (
    <label className={cx(styles.choice, small && styles.small)}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className={styles.box}
      />
      {/* The space separates the two lines for screen readers. */}
      <span className={styles.name}>{children}</span>{' '}
      {detail && <span className={styles.detail}>{detail}</span>}
      {checked && !small && (
        <span aria-hidden="true" className={styles.tick}>
          <Icon name="check-bold" size={10} />
        </span>
      )}
      {checked && small && <Icon name="check-bold" size={12} />}
    </label>
  );
}

export function toggled(list: readonly string[], code: string, chosen: boolean): string[] {
  const others = list.filter((each) => each !== code);
  return chosen ? [...others, code] : others;
}
