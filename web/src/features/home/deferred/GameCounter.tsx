import { useMemo } from 'react';

import { useCurrencyOf } from '../../../api/amounts.ts';
import { amountAt, jackpotOf, type Jackpot } from '../../../api/jackpot.ts';
import { fromMinor } from '../../../lib/minor.ts';
import { Counter } from '../../../ui/display/Counter.tsx';

import styles from './GameStrip.module.css';

export function GameCounter({ nodeId, jackpot }: { nodeId: string; jackpot: Jackpot }) {
  const { currency, decimals } = useCurrencyOf(jackpot.currency);
  const valueAt = useMemo(() => {
    const own = jackpotOf(jackpot, nodeId);
    return (now: number) => fromMinor(amountAt(own, now), decimals);
  }, [jackpot, nodeId, decimals]);
  return (
    <Counter
      valueAt={valueAt}
      tickMs={jackpot.tickMs}
      currency={currency}
      className={styles.counter}
    />
  );
}
