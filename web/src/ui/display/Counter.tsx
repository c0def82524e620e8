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
  /** Returns the amount as decimal text. `now` is `performance.now()`. */
  valueAt: (now: number) => string;
  tickMs: number;
  currency: Currency;
  className?: string | undefined;
};

/** A growing amount. It updates its text without rendering, only while visible and unless motion is reduced. */
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
