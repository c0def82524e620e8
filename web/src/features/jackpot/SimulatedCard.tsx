import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';

import { useMerchantCurrency } from '../../api/currency.ts';
import { amountAt, type Jackpot } from '../../api/jackpot.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { fromMinor } from '../../lib/minor.ts';
import { formatMoney, formatNumber } from '../../lib/money.ts';
import { CaptionedStats, Figure } from '../../ui/display/CaptionedStats.tsx';
import { Counter } from '../../ui/display/Counter.tsx';
import { Picture } from '../../ui/Picture.tsx';

import styles from './JackpotScreen.module.css';

/** A jackpot for show, marked as such. */
export function SimulatedCard({ jackpot }: { jackpot: Jackpot }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { currency, decimals } = useMerchantCurrency();
  const valueAt = useMemo(
    () => (now: number) => fromMinor(amountAt(jackpot, now), decimals),
    [jackpot, decimals],
  );
  const seconds = formatNumber(jackpot.tickMs / 1000, { pattern: '#,##0.0', language });
  const money = (amount: number) =>
    formatMoney(fromMinor(amount, decimals), { currency, language, decimals: 'needed' });
  return (
    <CaptionedStats
      title={t`Jackpot`}
      simulated
      lead={t`This counter is made up to show what a jackpot looks like. Nobody plays for it and nobody can win it.`}
      className={styles.card}
    >
      <div className={styles.amount}>
        <Picture src={artUrl('icons/money-bag.webp')} size={56} />
        <Counter
          valueAt={valueAt}
          tickMs={jackpot.tickMs}
          currency={currency}
          className={styles.counter}
        />
      </div>
      <dl className={styles.facts}>
        <dt>{t`Began with`}</dt>
        <dd>
          <Figure>
            <bdi dir="ltr">{money(jackpot.start)}</bdi>
          </Figure>
        </dd>
        <dt>{t`Grows by`}</dt>
        <dd>
          <Figure>
            <bdi dir="ltr">{money(jackpot.perTick)}</bdi> {t`every ${seconds} seconds`}
          </Figure>
        </dd>
        <dt>{t`Source`}</dt>
        <dd>{t`A simulation of this server`}</dd>
      </dl>
    </CaptionedStats>
  );
}
