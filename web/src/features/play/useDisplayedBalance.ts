import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { walletQuery, type Wallet } from '../../api/wallet.ts';

/** Returns the balance for the game's bar. Stakes show at once, wins after the round, so that the bar does not reveal the result. */
export function useDisplayedBalance(busy: boolean): string | undefined {
  const cache = useQueryClient();
  const { data: total } = useQuery({ ...walletQuery, select: (wallet) => wallet.total });
  const [displayed, setDisplayed] = useState(total);
  // Watches the cache: stake and win may arrive within one render, which would show only their sum.
  useEffect(
    () =>
      cache.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        if (event.query.queryHash !== cache.defaultQueryOptions(walletQuery).queryHash) return;
        const { total: now } = event.action.data as Wallet;
        setDisplayed((before) =>
          before === undefined || Number(now) < Number(before) ? now : before,
        );
      }),
    [cache],
  );
  if (displayed !== total && (!busy || displayed === undefined)) setDisplayed(total);
  return displayed;
}
