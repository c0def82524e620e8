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
  concealed?: boolean | undefined;
  /** Shortens large amounts; screen readers get the full amount. */
  short?: boolean | undefined;
  /** Reduces the font size of long amounts. */
  fit?: boolean | undefined;
  className?: string | undefined;
};

/** Lengths up to which each font size is used. Longer texts are shortened. */
const maxLengths = { plain: 13, long: 17, longest: 21 } as const;

function sizeOf({ length }: string): string | undefined {
  if (length <= maxLengths.plain) return undefined;
  return length <= maxLengths.long ? styles.long : styles.longest;
}

export function Amount({ value, concealed, short, fit, className, ...options }: AmountProps) {
  const { i18n } = useLingui();
  const text = value == null ? noAmount : formatMoney(value, { ...options, language: i18n.locale });
  const isShortened = short || (fit && text.length > maxLengths.longest);
  const visible =
    isShortened && value != null
      ? formatShortMoney(value, { ...options, language: i18n.locale })
      : text;
  return (
    // The currency decides the side of the symbol, also in right-to-left text.
    <bdi dir="ltr" className={cx(styles.amount, fit && sizeOf(visible), className)}>
      {concealed ? (
        '••••••'
      ) : visible === text ? (
        text
      ) : (
        <ShortAmount visible={visible} full={text} />
      )}
    </bdi>
  );
}

function ShortAmount({ visible, full }: { visible: string; full: string }) {
  return (
    <>
      <span aria-hidden="true" title={full}>
        {visible}
      </span>
      <span className={styles.visuallyHidden}>{full}</span>
    </>
  );
}
