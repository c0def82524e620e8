import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { acknowledgeCheck, limitsQuery, setRealityCheck, type Break } from '../../api/limits.ts';
import { closePlay, playQuery } from '../../api/play.ts';
import { currentSession, isRealAccount, useSession } from '../../api/session.ts';
import { walletQuery } from '../../api/wallet.ts';
import { serverNow, type ReadPlay } from './SessionStats.tsx';

/** How often the server is asked what a sitting has come to, beside after every round. */
const every = 30_000;

/** How often it is asked whether a vendor's game has begun. */
const whileOpening = 1000;

export type Sitting = {
  play: ReadPlay | undefined;
  /** As of when no round ran: a result is not told before the game has shown it. */
  shown: ReadPlay | undefined;
  /** A reality check is due. */
  due: boolean;
  /** Why play is over, where it is not by the player's own doing here. */
  ended: 'break' | 'closed' | null;
  pause: Break | null;
  refresh: () => void;
  /** The member has seen the check and plays on, to be reminded after so many minutes. */
  acknowledge: (minutes: number | null) => Promise<void>;
};

/**
 * What a sitting comes to, and what ends it. It is closed when its screen is left. A game that is awaited shows by the server's word alone
 * that it has begun.
 */
export function useSitting(
  playId: string,
  { busy, spoken, awaited }: { busy: boolean; spoken: boolean; awaited: boolean },
): Sitting {
  const cache = useQueryClient();
  // What it comes to in all, in other games and windows too, is the server's to say.
  const { data: play } = useQuery({
    ...playQuery(playId),
    refetchInterval: ({ state: { data } }) =>
      awaited && data?.opened === false && data.closedAt === null ? whileOpening : every,
  });
  const { data: limits } = useQuery({ ...limitsQuery, enabled: isRealAccount(useSession()) });
  const { data: balance } = useQuery({ ...walletQuery, select: ({ total }) => total });
  const refresh = () => void cache.invalidateQueries({ queryKey: playQuery(playId).queryKey });

  const ended = limits?.break ? 'break' : play && play.closedAt !== null ? 'closed' : null;
  // A game that says nothing of its rounds, or nothing any more, is followed by what they do to the balance. So is what is
  // played in another window while no round runs here.
  const follow = useEffectEvent((changed: boolean) => {
    if (!spoken || ended || (changed && !busy)) refresh();
  });
  const known = useRef<string>(undefined);
  useEffect(() => {
    const changed = known.current !== undefined;
    known.current = balance;
    if (balance === undefined) return;
    const timer = setTimeout(() => follow(changed), 500);
    return () => clearTimeout(timer);
  }, [balance]);

  useEffect(
    () => () => {
      if (currentSession()) closePlay(playId).catch(() => {});
    },
    [playId],
  );

  const [shown, setShown] = useState(play);
  if (!busy && shown !== play) setShown(play);

  return {
    play,
    shown: shown ?? play,
    due: useDue(play),
    ended,
    pause: limits?.break ?? null,
    refresh,
    acknowledge: async (minutes) => {
      await acknowledgeCheck(playId);
      if (minutes !== (play?.realityCheck.minutes ?? null)) await setRealityCheck(minutes);
      await cache.invalidateQueries({ queryKey: playQuery(playId).queryKey });
    },
  };
}

/** Whether the time of the next check has come, by the server's clock. */
function useDue(play: ReadPlay | undefined): boolean {
  const dueAt = play?.realityCheck.dueAt ?? null;
  const [reached, setReached] = useState<number | null>(null);
  const wait = play && dueAt !== null ? dueAt - serverNow(play) : null;
  useEffect(() => {
    if (wait === null) return;
    const timer = setTimeout(() => setReached(dueAt), Math.max(0, wait));
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the time that is left says nothing new
  }, [dueAt]);
  return dueAt !== null && reached === dueAt;
}
