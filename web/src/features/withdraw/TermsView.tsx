import { useLingui } from '@lingui/react/macro';

import { useCurrencyOf } from '../../api/amounts.ts';
import type { WithdrawTerms } from '../../api/withdrawals.ts';
import { Amount } from '../../ui/Amount.tsx';

import styles from './WithdrawScreen.module.css';

/** What can be withdrawn now, and what the turnover locks. */
export function Sums({ terms }: { terms: WithdrawTerms }) {
  const { t } = useLingui();
  const { currency } = useCurrencyOf(terms.currency);
  const { available, locked } = terms;
  const total = available + locked;
  return (
    <section className={styles.sums} aria-label={t`Your cash`}>
      <p className={styles.label}>{t`Available now`}</p>
      <p className={styles.available}>
        <Amount value={available} currency={currency} fit />
      </p>
      {total > 0 && (
        <div className={styles.bar} aria-hidden="true">
          {available > 0 && (
            <span className={styles.free} style={{ '--part': available / total }} />
          )}
          {locked > 0 && <span className={styles.locked} style={{ '--part': locked / total }} />}
        </div>
      )}
      {locked > 0 && (
        <p className={styles.legend}>
          {t`Locked until the turnover is met`} <Amount value={locked} currency={currency} />
        </p>
      )}
    </section>
  );
}

/** How much of the deposits was played. Nothing without a requirement. */
export function TurnoverCard({ terms }: { terms: WithdrawTerms }) {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(terms.currency);
  const { required, done } = terms.turnover;
  if (required <= 0) return null;
  const share = Math.min(1, done / required);
  const percent = Math.floor(share * 100);
  const text = new Intl.NumberFormat(i18n.locale, {
    style: 'percent',
    numberingSystem: 'latn',
  }).format(percent / 100);
  const isDone = done >= required;
  return (
    <section className={styles.turnover} aria-label={t`Turnover`}>
      <div
        role="progressbar"
        aria-label={t`Turnover`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className={styles.ring}
        style={{ '--part': share }}
        data-done={isDone}
      >
        <bdi dir="ltr">{text}</bdi>
      </div>
      <div className={styles.turnoverWords}>
        <h2 className={styles.title}>{isDone ? t`Turnover met` : t`Turnover of your deposits`}</h2>
        <p className={styles.label}>
          <Amount value={done} currency={currency} />
          {' / '}
          <Amount value={required} currency={currency} />
        </p>
        <p className={styles.label}>
          {isDone ? (
            t`Your deposits have been played. You can withdraw.`
          ) : (
            <>
              {t`Still to play`}{' '}
              <b>
                <Amount value={required - done} currency={currency} />
              </b>
            </>
          )}
        </p>
      </div>
    </section>
  );
}
