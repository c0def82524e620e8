import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

import { describeError, errorOfThrown } from '../src/i18n/api-error.ts';
import { useLoad } from '../src/lib/useLoad.ts';
import { Button } from '../src/ui/Button.tsx';
import { Empty } from '../src/ui/Empty.tsx';
import { Spinner } from '../src/ui/Spinner.tsx';
import { ToastViewport } from '../src/ui/Toast.tsx';
import { lottery, setMerchant, setOnExpired } from './api.ts';
import { leave, sendToApp } from './bridge.ts';
import { setServerTime } from './clock.ts';
import { GameList } from './GameList.tsx';
import { GamePage } from './GamePage.tsx';
import { lobby, type Launch } from './launch.ts';
import { findCurrency } from './price.ts';
import { forgetSession, openSession } from './session.ts';
import { useGames } from './useGames.ts';
import type { Game, GameGroup, Session } from './wire.ts';

import styles from './App.module.css';

/** A constant list, so that it does not count as newly loaded games. */
const noGames: readonly Game[] = [];

type PageData = { session: Session; games: Game[]; groups: GameGroup[] };

async function loadPage({ token, merchant }: Launch): Promise<PageData> {
  setMerchant(merchant);
  const session = await openSession(token);
  const [games, groups] = await Promise.all([lottery.games(), lottery.groups()]);
  const [first] = games;
  if (first) setServerTime(first.serverTime);
  return { session, games, groups };
}

/** Forgets the session, so that a reload does not use it again, and reports its end to the app. */
function expire(): void {
  forgetSession();
  sendToApp({ type: 'expired' });
}

setOnExpired(expire);

/** Opens a session, then shows a game or the list of games. */
export function App({ launch }: { launch: Launch }) {
  const { i18n } = useLingui();
  const page = useLoad(launch.token, () => loadPage(launch));
  const { refetch } = page;
  const language = useRef(i18n.locale);
  useEffect(() => {
    if (language.current === i18n.locale) return;
    language.current = i18n.locale;
    // The server returns the games' names in the language of the request.
    void refetch();
  }, [i18n.locale, refetch]);
  return (
    <>
      <Content launch={launch} page={page.data} error={page.error} retry={refetch} />
      <ToastViewport />
    </>
  );
}

type ContentProps = {
  launch: Launch;
  page: PageData | undefined;
  error: Error | null;
  retry: () => Promise<void>;
};

function Content({ launch, page, error, retry }: ContentProps) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState<string | null>(null);
  const isLobby = launch.gameId === lobby;
  const games = useGames(page?.games ?? noGames, page !== undefined && isLobby && chosen === null);
  const isRefused = error !== null && errorOfThrown(error).endsSession;
  const isLoaded = page !== undefined;
  useEffect(() => {
    if (!error || isLoaded) return; // a page that is shown only keeps its old names
    if (isRefused) expire();
    else sendToApp({ type: 'failed' });
  }, [error, isRefused, isLoaded]);
  useEffect(() => {
    if (!page || !isLobby || chosen !== null) return;
    const title = t`Lottery`;
    sendToApp({
      type: 'ready',
      title,
      engine: lobby,
      rtp: null,
      provable: false,
      backdrop: null,
    });
  }, [page, isLobby, chosen, t]);

  if (error && !page)
    return (
      <main aria-label={t`The lottery did not open`} className={styles.middle}>
        <Empty
          icon="warning-circle-fill"
          title={t`The lottery did not open`}
          text={describeError(error)}
          actions={
            <>
              {!isRefused && (
                <Button size="md" onPress={() => void retry()}>
                  {t`Try again`}
                </Button>
              )}
              <Button size="md" variant="secondary" onPress={() => leave(launch)}>
                {t`Back`}
              </Button>
            </>
          }
        />
      </main>
    );
  if (!page)
    return (
      <main className={styles.middle} role="status" aria-label={t`Loading`}>
        <Spinner size={36} />
      </main>
    );
  const { session, groups } = page;
  const gameId = chosen ?? (isLobby ? null : (session.gameId ?? launch.gameId));
  if (gameId === null)
    return <GameList games={games} groups={groups} onChoose={(game) => setChosen(game.gameId)} />;
  const game = games.find((candidate) => candidate.gameId === gameId);
  if (!game)
    return (
      <main aria-label={t`This game is not open now`} className={styles.middle}>
        <Empty
          icon="ticket"
          title={t`This game is not open now`}
          actions={
            <Button size="md" onPress={() => leave(launch)}>
              {t`Back`}
            </Button>
          }
        />
      </main>
    );
  return (
    <GamePage
      key={gameId}
      game={game}
      currency={findCurrency(session.currency)}
      playType={launch.playType}
      prizeMode={launch.prizeMode}
      onBack={isLobby ? () => setChosen(null) : undefined}
    />
  );
}
