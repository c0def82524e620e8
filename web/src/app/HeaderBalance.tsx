import { useLingui } from '@lingui/react/macro';

import { Amount } from '../ui/Amount.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { DepositLink } from './DepositLink.tsx';
import { useBalance } from './useBalance.ts';

import styles from './HomeHeader.module.css';

/** The balance in home's header. If it failed to load, a tap retries. */
export default function HeaderBalance() {
  const { t } = useLingui();
  const { total, currency, failure, busy, refresh } = useBalance();
  if (!failure) {
    return (
      <DepositLink>
        {total === undefined ? undefined : (
          <Amount value={total} currency={currency} decimals="needed" fit />
        )}
      </DepositLink>
    );
  }
  return (
    <button
      type="button"
      className={styles.balance}
      aria-label={`${failure}. ${t`Refresh balance`}`}
      aria-busy={busy || undefined}
      onClick={() => void refresh()}
    >
      <Icon name="warning-circle-fill" size={18} />
      <span className={styles.deposit}>
        {busy ? <Spinner size={16} /> : <Icon name="arrow-clockwise" size={16} />}
      </span>
    </button>
  );
}
