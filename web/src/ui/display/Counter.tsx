import { useLingui } from '@lingui/react';
import { useCallback } from 'react';

import type { Currency } from '../../lib/currency.ts';
import { cx } from '../../lib/cx.ts';
import { formatMoney } from '../../lib/money.ts';
import { useReducedMotion } from '../../lib/motion.ts';
import { useFigureMarks } from './CaptionedStats.tsx';
import { follow } from './ticker.ts';

import styles from './Counter.module.css';

export type CounterProps = {
  /** What it stands at, as decimal text, at a moment of the page's clock. */
  valueAt: (now: number) => string;
  /** How often it grows. */
  tickMs: number;
  currency: Currency;
  className?: string | undefined;
};

/**
 * An amount that grows. It is written straight into its place, only while it is seen: nothing is rendered anew. Who
 * wants no motion sees it stand.
 */
export function Counter({ valueAt, tickMs, currency, className }: CounterProps) {
  const { i18n } = useLingui();
  const still = useReducedMotion();
  const language = i18n.locale;
  const text = useCallback(
    (now: number) => formatMoney(valueAt(now), { currency, language, decimals: 'needed' }),
    [valueAt, currency, language],
  );
  const run = useCallback(
    (place: HTMLElement) => {
      const write = () => {
        place.textContent = text(performance.now());
      };
      write();
      return still ? () => {} : follow(place, tickMs, write);
    },
    [text, tickMs, still],
  );
  return (
    <bdi dir="ltr" ref={run} className={cx(styles.counter, className)} {...useFigureMarks()} />
  );
}
