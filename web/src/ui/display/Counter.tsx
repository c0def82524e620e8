import { useLingui } from '@lingui/react';
import { useCallback } from 'react';

import type { Currency } from '../../lib/currency.ts';
import { cx } from '../../lib/cx.ts';
import { formatMoney } from '../../lib/money.ts';
import { useReducedMotion } from '../../lib/motion.ts';
import { useFigureAttributes } from './CaptionedStats.tsx';
import { tickWhileVisible } from './ticker.ts';

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
  const reducedMotion = useReducedMotion();
  const language = i18n.locale;
  const format = useCallback(
    (now: number) => formatMoney(valueAt(now), { currency, language, decimals: 'needed' }),
    [valueAt, currency, language],
  );
  const start = useCallback(
    (element: HTMLElement) => {
      const write = () => {
        element.textContent = format(performance.now());
      };
      write();
      return reducedMotion ? () => {} : tickWhileVisible(element, tickMs, write);
    },
    [format, tickMs, reducedMotion],
  );
  return (
    <bdi
      dir="ltr"
      ref={start}
      className={cx(styles.counter, className)}
      {...useFigureAttributes()}
    />
  );
}
