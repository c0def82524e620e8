import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { Link } from '../lib/router.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

import styles from './HomeHeader.module.css';

/** Links to the deposit screen and shows the balance, or a placeholder while it loads. */
export function DepositLink({ children }: { children?: ReactNode }) {
  const { t } = useLingui();
  return (
    <Link to="/m/voucherCenter" className={styles.balance}>
      {children ?? <Skeleton width={84} height={16} />}
      <span className={styles.visuallyHidden}>{t`Deposit`}</span>
      <span className={styles.deposit}>
        <Icon name="plus-bold" size={16} />
      </span>
    </Link>
  );
}
