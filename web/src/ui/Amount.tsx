import { useLingui } from '@lingui/react';

import { cx } from '../lib/cx.ts';
import {
  formatMoney,
  formatShortMoney,
  noAmount,
  type AmountValue,
  type MoneyOptions,
} from '../lib/money.ts';

import styles from './Amount.module.css';

export type AmountProps = Omit<MoneyOptions, 'language'> & {
  /** Nothing known yet is null: a dash stands in its place. */
  value: AmountValue | null | undefined;
  /** Dots instead of digits, for eyes that look over the shoulder. */
  concealed?: boolean | undefined;
  /** Huge amounts in short, for places with little room; they are read out in full. */
  short?: boolean | undefined;
  /** Smaller the longer it is, so that every digit can be seen where there is little room. */
  fit?: boolean | undefined;
  className?: string | undefined;
};

/** Longer texts are written smaller; past the last, which no wallet should reach, in short. */
const lengths = { plain: 13, long: 17, longest: 21 } as const;

function sizeOf({ length }: string): string | undefined {
  if (length <= lengths.plain) return undefined;
  return length <= lengths.long ? styles.long : styles.longest;
}

/** Money. Digits are all equally wide, so that a running amount does not make its neighbours jump. */
export function Amount({ value, concealed, short, fit, className, ...options }: AmountProps) {
  const { i18n } = useLingui();
  const text = value == null ? noAmount : formatMoney(value, { ...options, language: i18n.locale });
  const shortened = short || (fit && text.length > lengths.longest);
  const seen =
    shortened && value != null
      ? formatShortMoney(value, { ...options, language: i18n.locale })
      : text;
  return (
    // The symbol's side belongs to the currency, so it stays in right-to-left text.
    <bdi dir="ltr" className={cx(styles.amount, fit && sizeOf(seen), className)}>
      {concealed ? '••••••' : seen === text ? text : <Short seen={seen} full={text} />}
    </bdi>
  );
}

function Short({ seen, full }: { seen: string; full: string }) {
  return (
    <>
      <span aria-hidden="true" title={full}>
        {seen}
      </span>
      <span className={styles.spoken}>{full}</span>
    </>
  );
}
