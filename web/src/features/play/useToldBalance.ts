import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import type { Play } from '../../api/play.ts';
import { walletQuery } from '../../api/wallet.ts';
import { send } from '../../lib/game-messages.ts';
import type { Game } from './useGame.ts';

/**
 * Tells a game of our own what can be staked, when that has changed. While a round runs the game has the server's word of
 * it, and a win that it has not shown yet is not given away.
 */
export function useToldBalance(
  { peer, ready, runs }: Game,
  play: Play | undefined,
  own: boolean,
): void {
  const currency = play?.currency;
  // Games stake cash alone.
  const { data: cash } = useQuery({
    ...walletQuery,
    select: ({ accounts }) =>
      accounts.find((account) => account.kind === 'cash' && account.currency === currency),
  });
  const told = useRef<{ ready: Game['ready']; version: number } | null>(null);
  useEffect(() => {
    if (!own || !ready || runs || !cash) return;
    const { balance, version } = cash;
    if (told.current?.ready === ready && told.current.version >= version) return;
    told.current = { ready, version };
    send(peer, { type: 'balance', balance: Number(balance) });
  }, [peer, ready, runs, own, cash]);
}
