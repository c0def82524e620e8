import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { launchGame, type GameChoice } from '../../api/play.ts';
import { forgetRecents } from '../../api/recents.ts';
import { ApiError, errorOfThrown } from '../../i18n/api-error.ts';
import { useAddressQuery } from '../../lib/router.tsx';
import { AgeAsked, ageAsked } from './AgeAsked.tsx';
import { readChoice } from './choice.ts';
import { framingOf } from './frame.ts';
import { InWindow } from './InWindow.tsx';
import { NotOpen } from './NotOpen.tsx';
import { Playing } from './Playing.tsx';
import { noAddress, Refused } from './Refused.tsx';
import { Starting } from './Starting.tsx';

/** Starts the game that the address names, and is the place around it. */
export default function PlayScreen() {
  const query = useAddressQuery().toString();
  const choice = useMemo(() => readChoice(new URLSearchParams(query)), [query]);
  if (choice === 'lobby') return <NotOpen />;
  if (!choice) return <Refused error={new ApiError('catalogue.unknown_game', 404)} />;
  return <Launched key={query} choice={choice} />;
}

function Launched({ choice }: { choice: GameChoice }) {
  const [attempt, setAttempt] = useState(0);
  const [blocked, setBlocked] = useState(false);
  // Under no key of the member's: what asks for those anew must not start the game again.
  const { data, error, isFetching } = useQuery({
    queryKey: ['launch', choice, attempt],
    queryFn: async ({ client: cache }) => {
      const launch = await launchGame(choice);
      void forgetRecents(cache);
      return launch;
    },
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const framing = useMemo(() => data && framingOf(data), [data]);
  const again = () => {
    setBlocked(false);
    setAttempt(attempt + 1);
  };

  if (error && !isFetching) {
    const refusal = errorOfThrown(error);
    if (refusal.code === ageAsked) return <AgeAsked error={refusal} onConfirmed={again} />;
    return <Refused error={error} onRetry={again} />;
  }
  if (!data) return <Starting />;
  if (data.mode === 'window') {
    return <InWindow launch={data} choice={choice} />;
  }
  if (!framing || blocked) return <Refused error={new ApiError(noAddress, 502)} onRetry={again} />;
  return (
    <Playing
      key={data.playId}
      launch={data}
      framing={framing}
      onAgain={again}
      onBlocked={() => setBlocked(true)}
    />
  );
}
