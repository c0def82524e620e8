import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { acknowledgeCheck, limitsQuery, setRealityCheck, type Break } from '../../api/limits.ts';
import { closePlay, playQuery } from '../../api/play.ts';
import { currentSession, isRealAccount, useSession } from '../../api/session.ts';
import { walletQuery } from '../../api/wallet.ts';
import { serverNow, type PlaySnapshot } from './SessionStats.tsx';

/** The session is also refetched after every round. */
const pollIntervalMs = 30_000;

/** The polling interval until the server reports that a vendor's game has opened. */
const openingPollIntervalMs = 1000;

const balanceDebounceMs = 500;

export type PlaySession = {
  play: PlaySnapshot | undefined;
  /** The session before the round in progress, so that it does not reveal the round's result early. */
  displayed: PlaySnapshot | undefined;
  isCheckDue: boolean;
  /** Why play ended, unless the player left. */
  ended: 'break' | 'closed' | null;
  activeBreak: Break | null;
  refresh: () => void;
  /** Confirms the reality check and sets the minutes until the next one. */
  acknowledge: (minutes: number | null) => Promise<void>;
};

type PlaySessionOptions = {
  busy: boolean;
  reportsRounds: boolean;
  /** Polls the server until the game has opened. Only the server knows when that happens. */
  pollUntilOpened: boolean;
};

/** Follows a play session, and closes it on unmount. */
export function usePlaySession(
  playId: string,
  { busy, reportsRounds, pollUntilOpened }: PlaySessionOptions,
): PlaySession {
  const cache = useQueryClient();
  const { data: play } = useQuery({
    ...playQuery(playId),
    refetchInterval: ({ state: { data } }) =>
      pollUntilOpened && data?.opened === false && data.closedAt === null
        ? openingPollIntervalMs
        : pollIntervalMs,
  });
  const { data: limits } = useQuery({ ...limitsQuery, enabled: isRealAccount(useSession()) });
  const { data: balance } = useQuery({ ...walletQuery, select: ({ total }) => total });
  const refresh = () => void cache.invalidateQueries({ queryKey: playQuery(playId).queryKey });

  const ended = limits?.break ? 'break' : play && play.closedAt !== null ? 'closed' : null;
  // A balance change reveals rounds of games that do not report them, and rounds in other windows.
  const refreshOnBalance = useEffectEvent((hasChanged: boolean) => {
    if (!reportsRounds || ended || (hasChanged && !busy)) refresh();
  });
  const previousBalance = useRef<string>(undefined);
  useEffect(() => {
    const hasChanged = previousBalance.current !== undefined;
    previousBalance.current = balance;
    if (balance === undefined) return;
    const timer = setTimeout(() => refreshOnBalance(hasChanged), balanceDebounceMs);
    return () => clearTimeout(timer);
  }, [balance]);

  useEffect(
    () => () => {
      if (currentSession()) closePlay(playId).catch(() => {});
    },
    [playId],
  );

  const [displayed, setDisplayed] = useState(play);
  if (!busy && displayed !== play) setDisplayed(play);

  return {
    play,
    displayed: displayed ?? play,
    isCheckDue: useCheckDue(play),
    ended,
    activeBreak: limits?.break ?? null,
    refresh,
    acknowledge: async (minutes) => {
      await acknowledgeCheck(playId);
      if (minutes !== (play?.realityCheck.minutes ?? null)) await setRealityCheck(minutes);
      await cache.invalidateQueries({ queryKey: playQuery(playId).queryKey });
    },
  };
}

function useCheckDue(play: PlaySnapshot | undefined): boolean {
  const dueAt = play?.realityCheck.dueAt ?? null;
  const [passed, setPassed] = useState<number | null>(null);
  const wait = play && dueAt !== null ? dueAt - serverNow(play) : null;
  useEffect(() => {
    if (wait === null) return;
    const timer = setTimeout(() => setPassed(dueAt), Math.max(0, wait));
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `wait` follows from dueAt
  }, [dueAt]);
  return dueAt !== null && passed === dueAt;
}
