import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import type { Play } from '../../api/play.ts';
import { walletQuery } from '../../api/wallet.ts';
import { send } from '../../lib/game-messages.ts';
import type { Game } from './useGame.ts';

/** Sends a House game each balance change outside its rounds. */
export function useSendBalance(
  { peer, ready, busyReported }: Game,
  play: Play | undefined,
  isHouseGame: boolean,
): void {
  const currency = play?.currency;
  // Games only take stakes in cash.
  const { data: cash } = useQuery({
    ...walletQuery,
    select: ({ accounts }) =>
      accounts.find((account) => account.kind === 'cash' && account.currency === currency),
  });
  const sent = useRef<{ ready: Game['ready']; version: number } | null>(null);
  useEffect(() => {
    if (!isHouseGame || !ready || busyReported || !cash) return;
    const { balance, version } = cash;
    if (sent.current?.ready === ready && sent.current.version >= version) return;
    sent.current = { ready, version };
    send(peer, { type: 'balance', balance: Number(balance) });
  }, [peer, ready, busyReported, isHouseGame, cash]);
}
