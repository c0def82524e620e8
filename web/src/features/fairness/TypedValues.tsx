import { useLingui } from '@lingui/react/macro';

import { Field } from '../../ui/Field.tsx';
import type { Values } from './values.ts';
import type { Unread } from './verify.ts';

import styles from './FairnessScreen.module.css';

export type TypedValuesProps = {
  values: Values;
  /** Of a table's round: its name stands where the player's own seed does elsewhere. */
  atTable: boolean;
  unread: readonly Unread[];
  onChange: (values: Values) => void;
};

/** The values of any round, by hand: nobody has to be known here to check one. */
export function TypedValues({ values, atTable, unread, onChange }: TypedValuesProps) {
  const { t } = useLingui();
  const hex = t`64 hex digits: 0–9 and a–f`;
  const field = (name: Unread, wrong: string) => ({
    name,
    value: values[name],
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...values, [name]: event.target.value }),
    errors: unread.includes(name) ? [wrong] : [],
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
