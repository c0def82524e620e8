import { useId, type ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';
import { Icon } from '../Icon.tsx';

import styles from './Checkbox.module.css';

export type CheckboxProps = {
  name?: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
  errors?: readonly string[] | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
};

export function Checkbox(props: CheckboxProps) {
  const { name, checked, onChange, children, errors = [], disabled, className } = props;
  const noteId = useId();
  const invalid = errors.length > 0;
  return (
    <div className={className}>
      <label className={styles.checkbox}>
        <input
          type="checkbox"
          name={name}
          checked={checked}
          disabled={disabled}
          aria-invalid={invalid || undefined}
          aria-describedby={invalid ? noteId : undefined}
          onChange={(event) => onChange(event.target.checked)}
          className={styles.input}
        />
        <span aria-hidden="true" className={cx(styles.box, invalid && styles.invalid)}>
          <Icon name="check-bold" size={14} className={styles.mark} />
        </span>
        <span>{children}</span>
      </label>
      {invalid && (
        <p id={noteId} className={styles.note}>
          {errors.join(', ')}
        </p>
      )}
    </div>
  );
}
