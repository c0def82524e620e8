import { useLingui } from '@lingui/react/macro';

import { Field } from '../../ui/Field.tsx';
import type { Values } from './values.ts';
import type { InvalidField } from './verify.ts';

import styles from './FairnessScreen.module.css';

export type ValueFieldsProps = {
  values: Values;
  /** Table rounds use the table's name as the client seed. */
  atTable: boolean;
  invalid: readonly InvalidField[];
  onChange: (values: Values) => void;
};

/** The fields for the values of any round. No login is needed. */
export function ValueFields({ values, atTable, invalid, onChange }: ValueFieldsProps) {
  const { t } = useLingui();
  const hex = t`64 hex digits: 0–9 and a–f`;
  const field = (name: InvalidField, error: string) => ({
    name,
    value: values[name],
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...values, [name]: event.target.value }),
    errors: invalid.includes(name) ? [error] : [],
    dir: 'ltr' as const,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    className: styles.field,
  });
  return (
    <div className={styles.form}>
      <Field {...field('commitment', hex)} label={t`Commitment`} />
      <Field {...field('seed', hex)} label={t`Server seed`} />
      <Field
        {...field('clientSeed', t`1–64 letters, digits, - and _`)}
        label={atTable ? t`Name of the table` : t`Your seed`}
        maxLength={64}
      />
      <Field
        {...field('nonce', t`A whole number from 1`)}
        label={t`Number (nonce)`}
        inputMode="numeric"
        maxLength={15}
      />
    </div>
  );
}
