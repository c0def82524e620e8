import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { launchGame, type GameChoice } from '../../api/play.ts';
import { refreshRecents } from '../../api/recents.ts';
import { ApiError, errorOfThrown } from '../../i18n/api-error.ts';
import { useAddressQuery } from '../../lib/router.tsx';
import { AgeConfirmation, ageRequired } from './AgeConfirmation.tsx';
import { readChoice } from './choice.ts';
import { frameSource } from './frame.ts';
import { FramedGame } from './FramedGame.tsx';
import { LaunchRefused, noUrl } from './LaunchRefused.tsx';
import { Starting } from './Starting.tsx';
import { WindowedGame } from './WindowedGame.tsx';

export default function PlayScreen() {
  const query = useAddressQuery().toString();
  const choice = useMemo(() => readChoice(new URLSearchParams(query)), [query]);
  if (!choice) return <LaunchRefused error={new ApiError('catalogue.unknown_game', 404)} />;
  return <Launched key={query} choice={choice} query={query} />;
}

function Launched({ choice, query }: { choice: GameChoice; query: string }) {
  const [attempt, setAttempt] = useState(0);
  const [blocked, setBlocked] = useState(false);
  // Not under the member's query key: refetching the member's data must not start the game again.
  const { data, error, isFetching } = useQuery({
    queryKey: ['launch', choice, attempt],
    queryFn: async ({ client: cache }) => {
      const launch = await launchGame(choice);
      void refreshRecents(cache);
      return launch;
    },
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const source = useMemo(
    () => data && frameSource(data, new URLSearchParams(query)),
    [data, query],
  );
  const retry = () => {
    setBlocked(false);
    setAttempt(attempt + 1);
  };

  if (error && !isFetching) {
    const refusal = errorOfThrown(error);
    if (refusal.code === ageRequired)
      return <AgeConfirmation error={refusal} onConfirmed={retry} />;
    return <LaunchRefused error={error} onRetry={retry} />;
  }
  if (!data) return <Starting />;
  if (data.mode === 'window') {
    return <WindowedGame launch={data} choice={choice} />;
  }
  if (!source || blocked) return <LaunchRefused error={new ApiError(noUrl, 502)} onRetry={retry} />;
  return (
    <FramedGame
      key={data.playId}
      launch={data}
      source={source}
      onRestart={retry}
      onBlocked={() => setBlocked(true)}
    />
  );
}
