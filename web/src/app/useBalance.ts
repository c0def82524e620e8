import { useQuery } from '@tanstack/react-query';

import { useWalletCurrency } from '../api/currency.ts';
import { walletQuery } from '../api/wallet.ts';
import { describeError } from '../i18n/api-error.ts';
import type { Currency } from '../lib/currency.ts';
import { toast } from '../ui/toastStore.ts';

export type Balance = {
  /** What can be played with, once it is known. */
  total: string | undefined;
  currency: Currency;
  /** Why it is not known, in the member's language. */
  failure: string | undefined;
  busy: boolean;
  /** Asks for it anew, and says what went wrong where that fails. */
  refresh: () => Promise<void>;
};

/** All the money that is the member's, as the header and the menu show it. */
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
