import { useLingui } from '@lingui/react/macro';

import { cx } from '../../lib/cx.ts';
import { Field, type FieldProps } from '../Field.tsx';
import { adviceOf, strengthOf, type Advice, type Strength } from './strength.ts';

import styles from './PasswordField.module.css';

export type PasswordFieldProps = Omit<FieldProps, 'type' | 'value'> & {
  value: string;
  strength?: boolean | undefined;
};

export function PasswordField({ strength = false, ...field }: PasswordFieldProps) {
  const level = strength ? strengthOf(field.value) : 0;
  return (
    <div>
      <Field icon="lock-key" spellCheck={false} autoCapitalize="none" {...field} type="password" />
      {level > 0 && <Meter level={level} advice={adviceOf(field.value)} />}
    </div>
  );
}

function Meter({ level, advice }: { level: Strength; advice: Advice | null }) {
  const { t } = useLingui();
  const words = ['', t`weak`, t`fair`, t`good`, t`strong`];
  const word = words[level];
  const advised: Record<Advice, string> = {
    longer: t`12 or more characters are harder to guess`,
    varied: t`Use more different characters`,
    mixed: t`Mix capital and small letters, digits and signs`,
  };
  return (
    <div className={cx(styles.meter, styles[`level${level}`])}>
      <span role="status">
        {t`Strength:`} <strong className={styles.word}>{word}</strong>
        {advice && <span className={styles.advice}>{advised[advice]}</span>}
      </span>
      <span aria-hidden="true" className={styles.bars}>
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} className={cx(styles.bar, bar <= level && styles.filled)} />
        ))}
      </span>
    </div>
  );
}
