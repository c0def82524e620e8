import { useLingui } from '@lingui/react/macro';

import type { Currency } from '../../lib/currency.ts';
import { cx } from '../../lib/cx.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { minus, type DepositLimit } from './amounts.ts';

import styles from './LimitBar.module.css';

/** The used share above which the bar warns. */
const warningShare = 0.8;

export type LimitBarProps = {
  limit: DepositLimit | undefined;
  /** The amount of the new deposit. */
  order: string;
  currency: Currency;
  decimals: number;
};

/** The member's own deposit limit with the least left, and what this deposit takes of it. */
export function LimitBar({ limit, order: orderText, currency, decimals }: LimitBarProps) {
  const { t } = useLingui();
  const titles = {
    day: t`Your deposit limit for 24 hours`,
    week: t`Your deposit limit for 7 days`,
    month: t`Your deposit limit for the month`,
  };
  const used = limit ? Math.max(0, limit.used) : 0;
  const order = Number(orderText); // only for the length of the bar
  const left = limit ? minus(String(limit.left), orderText, decimals) : '0';
  const part = (amount: number) =>
    limit && limit.amount > 0 ? Math.min(1, amount / limit.amount) : 1;
  const isNear = limit !== undefined && part(used + order) > warningShare;
  return (
    <section className={styles.card} aria-label={t`Deposit limit`}>
      <div className={styles.head}>
        <Icon name="shield-check-fill" className={styles.shield} />
        <h2 className={styles.title}>{limit ? titles[limit.period] : t`No deposit limit`}</h2>
        <Link to="/m/member/limits" className={styles.change}>
          {limit ? t`Change` : t`Set a limit`}
          <Icon name="caret-right" size={14} />
        </Link>
      </div>
      {limit && (
        <>
          <div className={styles.bar} aria-hidden="true">
            <span className={styles.used} style={{ '--part': part(used) }} />
            <span
              className={styles.order}
              style={{ '--part': Math.min(part(order), 1 - part(used)) }}
            />
          </div>
          <p className={cx(styles.numbers, isNear && styles.near)}>
            <span>
              {t`Used`} <Amount value={used} currency={currency} />
            </span>
            <span>
              {isNear ? t`Near the limit, left` : t`Left`}{' '}
              <b>
                <Amount value={left.startsWith('-') ? '0' : left} currency={currency} />
              </b>
            </span>
          </p>
        </>
      )}
    </section>
  );
}
