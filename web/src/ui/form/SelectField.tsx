import { useId } from 'react';

import { cx } from '../../lib/cx.ts';
import { Icon } from '../Icon.tsx';

import field from '../Field.module.css';
import styles from './SelectField.module.css';

export type SelectFieldProps = {
  label: string;
  name?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string; disabled?: boolean }[];
  /** Shown while nothing is chosen. Without it the first option is chosen. */
  placeholder?: string | undefined;
  errors?: readonly string[] | undefined;
  hint?: string | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
};

export function SelectField(props: SelectFieldProps) {
  const { label, name, value, onChange, options, placeholder, disabled, className } = props;
  const { errors = [], hint } = props;
  const id = useId();
  const invalid = errors.length > 0;
  const note = invalid ? errors.join(', ') : hint;
  return (
    <div className={className}>
      <div className={cx(field.field, invalid && field.invalid, disabled && field.disabled)}>
        <div className={field.body}>
          <label htmlFor={id} className={field.label}>
            {label}
          </label>
          <select
            id={id}
            name={name}
            value={value}
            disabled={disabled}
            aria-invalid={invalid || undefined}
            aria-describedby={note ? `${id}-note` : undefined}
            onChange={(event) => onChange(event.target.value)}
            className={cx(field.input, styles.select)}
          >
            {placeholder !== undefined && (
              <option value="" disabled>
                {placeholder}
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
        </div>
        <Icon name="caret-down" size={16} className={styles.caret} />
      </div>
      {note && (
        <p id={`${id}-note`} className={cx(field.note, invalid && field.error)}>
          {note}
        </p>
      )}
    </div>
  );
}
