import { useLingui } from '@lingui/react/macro';

import { Field } from '../Field.tsx';

import styles from './DateRange.module.css';

export type DateRangeProps = {
  /** As in date inputs: `2026-11-17`, or empty. */
  from: string;
  to: string;
  onChange: (range: { from: string; to: string }) => void;
  maxDays: number;
  invalid: boolean;
};

export function DateRange({ from, to, onChange, maxDays, invalid }: DateRangeProps) {
  const { t } = useLingui();
  const complete = from !== '' && to !== '';
  return (
    <div className={styles.range}>
      <Field
        type="date"
        name="from"
        label={t`From`}
        value={from}
        onChange={(event) => onChange({ from: event.target.value, to })}
      />
      <Field
        type="date"
        name="to"
        label={t`To`}
        value={to}
        onChange={(event) => onChange({ from, to: event.target.value })}
      />
      {invalid && (
        <p role="status" className={styles.note} data-wrong={complete || undefined}>
          {complete && from > to
            ? t`The first day is after the last.`
            : t`Choose both days, at most ${maxDays} days apart.`}
        </p>
      )}
    </div>
  );
}
