import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useWalletCurrency } from '../../api/currency.ts';
import { useLoggedIn } from '../../api/session.ts';
import { walletQuery } from '../../api/wallet.ts';
import { Link } from '../../lib/router.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { BarActions } from '../../ui/BarActions.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { gameListPath } from './filter-url.ts';

import styles from './LobbyBar.module.css';

export function LobbyBar() {
  const { t } = useLingui();
  const loggedIn = useLoggedIn();
  return (
    <BarActions>
      <Link to={gameListPath} className={styles.search} aria-label={t`Search games`}>
        <Icon name="magnifying-glass" />
      </Link>
      {loggedIn && <WalletLink />}
    </BarActions>
  );
}

function WalletLink() {
  const { t } = useLingui();
  const { data: wallet } = useQuery(walletQuery);
  const currency = useWalletCurrency(wallet);
  if (!wallet) return null;
  return (
    <Link to="/m/voucherCenter" className={styles.wallet}>
      <Amount value={wallet.total} currency={currency} decimals="needed" fit />
      <span className={styles.visuallyHidden}>{t`Deposit`}</span>
      <span className={styles.deposit}>
        <Icon name="plus-bold" size={14} />
      </span>
    </Link>
  );
}
