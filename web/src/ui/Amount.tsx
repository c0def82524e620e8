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
  /** A dash is shown for null. */
  value: AmountValue | null | undefined;
  /** Shows dots instead of digits. */
  concealed?: boolean | undefined;
  /** Shortens large amounts; screen readers get the full amount. */
  short?: boolean | undefined;
  /** Reduces the font size of long amounts. */
  fit?: boolean | undefined;
  className?: string | undefined;
};

/** Lengths up to which each font size is used. Longer texts are shortened. */
const lengths = { plain: 13, long: 17, longest: 21 } as const;

function sizeOf({ length }: string): string | undefined {
  if (length <= lengths.plain) return undefined;
  return length <= lengths.long ? styles.long : styles.longest;
}

export function Amount({ value, concealed, short, fit, className, ...options }: AmountProps) {
  const { i18n } = useLingui();
  const text = value == null ? noAmount : formatMoney(value, { ...options, language: i18n.locale });
  const shortened = short || (fit && text.length > lengths.longest);
  const seen =
    shortened && value != null
      ? formatShortMoney(value, { ...options, language: i18n.locale })
      : text;
  return (
    // The currency decides the side of the symbol, also in right-to-left text.
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
