import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { Game } from '../../api/catalogue.ts';
import { expectsRecents, recentGamesQuery } from '../../api/recents.ts';
import { useLoggedIn, whileLoggedIn } from '../../api/session.ts';
import { useLanguage } from '../../i18n/runtime.ts';

/** The maximum time that the games below wait for the recent games. */
const maxWaitMs = 3_000;

export type Recents = {
  isShown: boolean;
  /** It is not known yet whether there are any. The games below wait, so that they do not move. */
  isUnknown: boolean;
  query: Pick<UseQueryResult<readonly Game[]>, 'data' | 'error' | 'isFetching' | 'refetch'>;
};

export function useRecents(): Recents {
  const loggedIn = useLoggedIn();
  const query = useQuery({ ...recentGamesQuery(useLanguage()), enabled: whileLoggedIn(loggedIn) });
  const { data, error, isPending, isFetching, refetch } = query;
  const [late, setLate] = useState(false);
  const expected = expectsRecents();
  const unknown = isPending && !expected;
  const isUnknown = loggedIn && unknown && !late;

  useEffect(() => {
    if (!isUnknown) return;
    const timer = setTimeout(setLate, maxWaitMs, true);
    return () => clearTimeout(timer);
  }, [isUnknown]);

  // The first game has just been played and is being fetched.
  const isFirstLoading = data?.length === 0 && isFetching && expected;
  const games = isFirstLoading ? undefined : data;
  const isShown = loggedIn && !unknown && games?.length !== 0;
  return { isShown, isUnknown, query: { data: games, error, isFetching, refetch } };
}
