import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';

import { useCurrencyOf } from '../../api/amounts.ts';
import { withdrawalListQuery, type Withdrawal } from '../../api/withdrawals.ts';
import { artUrl } from '../../lib/art.ts';
import { formatTime } from '../../lib/dates.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { PagedList } from '../../ui/display/PagedList.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useStatusNames } from './names.ts';
import { formPath, withdrawalPath } from './paths.ts';

import styles from './WithdrawalHistory.module.css';

export function WithdrawalHistory() {
  const { t } = useLingui();
  const query = useInfiniteQuery(withdrawalListQuery);
  return (
    <PagedList
      query={query}
      label={t`Your withdrawals`}
      rowsOf={({ list }) => list ?? []}
      keyOf={({ id }) => id}
      renderRow={(row) => <Row row={row} />}
      skeleton={<Skeleton shape="box" height={68} />}
      empty={
        <Empty
          art={artUrl('spots/empty.webp')}
          icon="receipt"
          title={t`No withdrawals yet`}
          actions={
            <Link to={formPath} className={buttonClass({ size: 'md' })}>
              {t`Withdraw`}
            </Link>
          }
        />
      }
    />
  );
}

function Row({ row }: { row: Withdrawal }) {
  const { i18n } = useLingui();
  const { currency } = useCurrencyOf(row.currency);
  const names = useStatusNames();
  return (
    <Link to={withdrawalPath(row.id)} className={styles.row}>
      <span className={styles.words}>
        <bdi dir="ltr" className={styles.reference}>
          {row.bank} •• {row.lastFour}
        </bdi>
        <span className={styles.time}>{formatTime(row.at, i18n.locale)}</span>
      </span>
      <span className={styles.end}>
        <b>
          <Amount value={row.amount} currency={currency} />
        </b>
        <span className={styles.status} data-status={row.status}>
          {names[row.status]}
        </span>
      </span>
    </Link>
  );
}
