import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { walletQuery, type Wallet } from '../../api/wallet.ts';

/**
 * The balance as it may be told: a stake goes from it at once, while a win comes when the game has shown it, so that
 * the bar above does not give away what the reels are about to say.
 */
export function useHeldBalance(busy: boolean): string | undefined {
  const cache = useQueryClient();
  const { data: total } = useQuery({ ...walletQuery, select: (wallet) => wallet.total });
  const [held, setHeld] = useState(total);
  // News of stake and win may come so close together that only their sum is ever drawn: each is heard by itself.
  useEffect(
    () =>
      cache.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        if (event.query.queryHash !== cache.defaultQueryOptions(walletQuery).queryHash) return;
        const { total: now } = event.action.data as Wallet;
        setHeld((before) => (before === undefined || Number(now) < Number(before) ? now : before));
      }),
    [cache],
  );
  if (held !== total && (!busy || held === undefined)) setHeld(total);
  return held;
}
