import { useId, type ComponentProps } from 'react';

import { cx } from '../../lib/cx.ts';

import field from '../Field.module.css';
import styles from './TextArea.module.css';

export type TextAreaProps = Omit<ComponentProps<'textarea'>, 'id' | 'children' | 'value'> & {
  label: string;
  value: string;
  /** Shows a counter. Longer text is marked as wrong. */
  max?: number | undefined;
  errors?: readonly string[] | undefined;
  hint?: string | undefined;
};

/** A multi-line input. Counts characters as the server does. */
export function TextArea(props: TextAreaProps) {
  const { label, value, max, errors = [], hint, className, rows = 4, ...input } = props;
  const id = useId();
  const length = Array.from(value).length;
  const invalid = errors.length > 0 || (max !== undefined && length > max);
  const note = errors.length > 0 ? errors.join(', ') : hint;
  return (
    <div className={className}>
      <div className={cx(field.field, styles.box, invalid && field.invalid)}>
        <div className={field.body}>
          <label htmlFor={id} className={field.label}>
            {label}
          </label>
          <textarea
            {...input}
            id={id}
            rows={rows}
            value={value}
            dir="auto"
            aria-invalid={invalid || undefined}
            aria-describedby={`${id}-note`}
            className={cx(field.input, styles.input)}
          />
        </div>
      </div>
      <p id={`${id}-note`} className={cx(field.note, styles.note, invalid && field.error)}>
        <span>{note}</span>
        {max !== undefined && (
          <bdi dir="ltr">
            {length}/{max}
          </bdi>
        )}
      </p>
    </div>
  );
}
