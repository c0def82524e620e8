import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useCurrencyOf } from '../../api/amounts.ts';
import { isOpenWithdrawal, withdrawalQuery, type Withdrawal } from '../../api/withdrawals.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { CopyButton } from '../../ui/display/CopyButton.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useStatusNames } from './names.ts';
import { formPath, historyPath } from './paths.ts';
import { Timeline } from './Timeline.tsx';

import styles from './WithdrawalProgress.module.css';

export function WithdrawalProgress({ id }: { id: string }) {
  const query = useQuery(withdrawalQuery(id));
  return (
    <QueryView
      query={query}
      skeleton={
        <div className={styles.column}>
          <Skeleton shape="box" height={120} />
          <Skeleton shape="box" height={260} />
          <Skeleton shape="box" height={160} />
        </div>
      }
    >
      {(withdrawal) => <Content withdrawal={withdrawal} />}
    </QueryView>
  );
}

function Content({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useLingui();
  const names = useStatusNames();
  const { currency } = useCurrencyOf(withdrawal.currency);
  const { status, amount, fee, paid, reference, bank, lastFour, reason } = withdrawal;
  const isOpen = isOpenWithdrawal(status);
  const isReturned = status === 'REFUSED' || status === 'FAILED';
  return (
    <div className={styles.column}>
      <div className={styles.head} role="status">
        <span className={styles.status} data-status={status}>
          <Icon
            name={
              isOpen
                ? 'clock-countdown-fill'
                : isReturned
                  ? 'warning-circle-fill'
                  : 'check-circle-fill'
            }
            size={16}
          />
          {names[status]}
        </span>
        <p className={styles.amount}>
          <Amount value={amount} currency={currency} fit />
        </p>
        {isReturned && <p className={styles.note}>{t`The money is back in your wallet.`}</p>}
        {reason && (
          <p dir="auto" className={styles.reason}>
            {reason}
          </p>
        )}
      </div>
      <Timeline withdrawal={withdrawal} />
      <dl className={styles.facts}>
        <div>
          <dt>{t`Reference`}</dt>
          <dd className={styles.reference}>
            <bdi dir="ltr">{reference}</bdi>
            <CopyButton text={reference} label={t`Reference`} iconOnly />
          </dd>
        </div>
        <div>
          <dt>{t`Bank account`}</dt>
          <dd dir="ltr">
            {bank} •••• {lastFour}
          </dd>
        </div>
        <div>
          <dt>{t`Fee`}</dt>
          <dd>
            <Amount value={fee} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>{t`You receive`}</dt>
          <dd>
            <Amount value={isReturned ? 0 : paid} currency={currency} />
          </dd>
        </div>
      </dl>
      {isOpen && (
        <p className={styles.info}>
          <Icon name="lock-key" size={20} />
          {t`The money has left your wallet and cannot be used for bets any more.`}
        </p>
      )}
      {!isOpen && (
        <Link to={formPath} className={buttonClass({ full: true })}>
          {t`New withdrawal`}
        </Link>
      )}
      <Link to="/m/service" className={buttonClass({ variant: 'secondary', full: true })}>
        <Icon name="headset" size={20} />
        {t`Customer service`}
      </Link>
      <Link to={historyPath} className={buttonClass({ variant: 'text', full: true })}>
        {t`Your withdrawals`}
      </Link>
    </div>
  );
}
