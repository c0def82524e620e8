import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { Game } from '../../api/catalogue.ts';
import { expectsRecents, recentGamesQuery } from '../../api/recents.ts';
import { useLoggedIn, whileLoggedIn } from '../../api/session.ts';
import { useLanguage } from '../../i18n/runtime.ts';

/** Nobody is kept from the games for longer by not knowing what stands above them. */
const patience = 3_000;

export type Recents = {
  /** Whether anything of them has a place on the screen. */
  shown: boolean;
  /** Nobody can tell yet: what is below would be moved by them. */
  unsure: boolean;
  games: readonly Game[] | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
};

/**
 * What the member has played lately. A device that has never seen them cannot tell whether that is anything: it waits for
 * the answer, though not for long.
 */
export function useRecents(): Recents {
  const loggedIn = useLoggedIn();
  const query = useQuery({ ...recentGamesQuery(useLanguage()), enabled: whileLoggedIn(loggedIn) });
  const { data, error, isPending, isFetching, refetch } = query;
  const [late, setLate] = useState(false);
  const expected = expectsRecents();
  const unknown = isPending && !expected;
  const unsure = loggedIn && unknown && !late;

  useEffect(() => {
    if (!unsure) return;
    const timer = setTimeout(setLate, patience, true);
    return () => clearTimeout(timer);
  }, [unsure]);

  // The first game has been played since: it is on its way.
  const first = data?.length === 0 && isFetching && expected;
  const games = first ? undefined : data;
  const shown = loggedIn && !unknown && games?.length !== 0;
  return { shown, unsure, games, error, refetch };
}
