import { useLingui } from '@lingui/react/macro';
import { useId, useState, type ComponentProps, type ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import type { IconName } from './icons.ts';

import styles from './Field.module.css';

export type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'children'> & {
  label: string;
  icon?: IconName | undefined;
  errors?: readonly string[] | undefined;
  hint?: string | undefined;
  /** Shows the hint below an error, too. */
  keepHint?: boolean | undefined;
  valid?: boolean | undefined;
  onClear?: (() => void) | undefined;
  trailing?: ReactNode;
};

export function Field(props: FieldProps) {
  const {
    label,
    icon,
    errors = [],
    hint,
    keepHint,
    valid,
    onClear,
    trailing,
    className,
    type,
    ...input
  } = props;
  const id = useId();
  const { t } = useLingui();
  const [shown, setShown] = useState(false);
  const isPassword = type === 'password';
  const invalid = errors.length > 0;
  const note = invalid ? errors.join(', ') : hint;
  const kept = invalid && keepHint ? hint : undefined;
  return (
    <div className={className}>
      <div
        className={cx(styles.field, invalid && styles.invalid, input.disabled && styles.disabled)}
      >
        {icon && <Icon name={icon} className={styles.icon} />}
        <div className={styles.body}>
          <label htmlFor={id} className={styles.label}>
            {label}
          </label>
          <input
            {...input}
            id={id}
            type={isPassword && shown ? 'text' : type}
            aria-invalid={invalid || undefined}
            aria-describedby={kept ? `${id}-note ${id}-hint` : note ? `${id}-note` : undefined}
            className={styles.input}
          />
        </div>
        {valid && !invalid && <Icon name="check-circle-fill" className={styles.valid} />}
        {onClear && input.value ? (
          <IconButton icon="x-circle-fill" iconSize={18} label={t`Clear`} onPress={onClear} />
        ) : null}
        {isPassword && (
          <IconButton
            icon={shown ? 'eye' : 'eye-slash'}
            label={shown ? t`Hide password` : t`Show password`}
            onPress={() => setShown(!shown)}
            className={shown ? styles.shown : undefined}
          />
        )}
        {trailing}
      </div>
      {note && (
        <p id={`${id}-note`} className={cx(styles.note, invalid && styles.error)}>
          {note}
        </p>
      )}
      {kept && (
        <p id={`${id}-hint`} className={styles.note}>
          {kept}
        </p>
      )}
    </div>
  );
}
