import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { useCurrencyOf } from '../../api/amounts.ts';
import { depositListQuery, depositMethodsQuery, type DepositRow } from '../../api/deposits.ts';
import { artUrl } from '../../lib/art.ts';
import { formatTime } from '../../lib/dates.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { PagedList } from '../../ui/display/PagedList.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useStatusNames } from './names.ts';
import { formPath, orderPath } from './paths.ts';

import styles from './DepositHistory.module.css';

export function DepositHistory() {
  const { t } = useLingui();
  const query = useInfiniteQuery(depositListQuery);
  const { data: methods } = useQuery(depositMethodsQuery);
  // A method that is no longer offered has no name here.
  const nameOf = (code: string) => methods?.find((method) => method.code === code)?.name ?? code;
  return (
    <PagedList
      query={query}
      label={t`Your deposits`}
      rowsOf={({ list }) => list ?? []}
      keyOf={({ id }) => id}
      renderRow={(row) => <Row row={row} method={nameOf(row.method)} />}
      skeleton={<Skeleton shape="box" height={68} />}
      empty={
        <Empty
          art={artUrl('spots/empty.webp')}
          icon="receipt"
          title={t`No deposits yet`}
          actions={
            <Link to={formPath} className={buttonClass({ size: 'md' })}>
              {t`New deposit`}
            </Link>
          }
        />
      }
    />
  );
}

function Row({ row, method }: { row: DepositRow; method: string }) {
  const { i18n } = useLingui();
  const { currency } = useCurrencyOf(row.currency);
  const names = useStatusNames();
  return (
    <Link to={orderPath(row.id)} className={styles.row}>
      <span className={styles.words}>
        <span className={styles.reference}>
          <bdi>{method}</bdi> · <bdi dir="ltr">{row.reference}</bdi>
        </span>
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
