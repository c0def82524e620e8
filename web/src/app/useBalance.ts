import { useQuery } from '@tanstack/react-query';

import { useWalletCurrency } from '../api/currency.ts';
import { walletQuery } from '../api/wallet.ts';
import { describeError } from '../i18n/api-error.ts';
import type { Currency } from '../lib/currency.ts';
import { toast } from '../ui/toastStore.ts';

export type Balance = {
  /** Undefined until it is loaded. */
  total: string | undefined;
  currency: Currency;
  /** The error text if the balance could not be loaded. */
  failure: string | undefined;
  busy: boolean;
  /** Reloads the balance and shows an error if that fails. */
  refresh: () => Promise<void>;
};

export function useBalance(): Balance {
  const wallet = useQuery(walletQuery);
  const currency = useWalletCurrency(wallet.data);
  return {
    total: wallet.data?.total,
    currency,
    failure: wallet.data || !wallet.error ? undefined : describeError(wallet.error),
    busy: wallet.isFetching,
    refresh: async () => {
      const { error } = await wallet.refetch();
      if (error) toast.error(describeError(error));
    },
  };
}
