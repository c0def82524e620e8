import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useWalletCurrency } from '../../api/currency.ts';
import { walletQuery } from '../../api/wallet.ts';
import { describeError } from '../../i18n/api-error.ts';
import { localStore } from '../../lib/storage.ts';
import { Amount } from '../../ui/Amount.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './Balance.module.css';

const key = 'hideBalance';

export function Balance() {
  const { t } = useLingui();
  const wallet = useQuery(walletQuery);
  const currency = useWalletCurrency(wallet.data);
  const [hidden, setHidden] = useState(() => localStore.get(key) === '1');

  function toggle(): void {
    localStore.set(key, hidden ? '0' : '1');
    setHidden(!hidden);
  }

  async function refresh(): Promise<void> {
    const { error } = await wallet.refetch();
    if (error) toast.error(describeError(error));
  }

  return (
    <section className={styles.balance}>
      <div className={styles.sum}>
        <div className={styles.label}>
          {t`Total balance`}
          <IconButton
            icon={hidden ? 'eye-slash' : 'eye'}
            iconSize={20}
            label={t`Hide the balance`}
            pressed={hidden}
            onPress={toggle}
            className={styles.eye}
          />
        </div>
        {wallet.error && !wallet.data ? (
          <p className={styles.failure}>{describeError(wallet.error)}</p>
        ) : (
          <Amount
            value={wallet.data?.total}
            currency={currency}
            decimals="needed"
            concealed={hidden}
            className={styles.amount}
          />
        )}
      </div>
      <IconButton
        icon="arrows-clockwise"
        variant="surface"
        label={t`Refresh balance`}
        busy={wallet.isFetching}
        onPress={() => void refresh()}
      />
    </section>
  );
}
