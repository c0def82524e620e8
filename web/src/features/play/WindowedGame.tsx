import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';

import { launchGame, type GameChoice, type Launch } from '../../api/play.ts';
import { describeError } from '../../i18n/api-error.ts';
import { artUrl } from '../../lib/art.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { toast } from '../../ui/toastStore.ts';
import { parseHttpUrl } from './frame.ts';
import { emptyUrl, popupBlocked } from './messages.ts';
import { PlayEnded } from './PlayEnded.tsx';
import { RealityCheck } from './RealityCheck.tsx';
import { SessionStats } from './SessionStats.tsx';
import { useLeaveGame, type LeaveGame } from './useLeaveGame.ts';
import { usePlaySession } from './usePlaySession.ts';

import styles from './LaunchRefused.module.css';

/** The age after which the page requests a new ticket. A ticket works once and expires. */
const ticketLifetimeMs = 50_000;

/** A game in a separate window. This page shows its session. */
export function WindowedGame({ launch, choice }: { launch: Launch; choice: GameChoice }) {
  const { t } = useLingui();
  const [current, setCurrent] = useState(launch);
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const ticket = useRef<{ launch: Launch; until: number } | null>(null);
  const gameWindow = useRef<Window | null>(null);
  const leaving = useLeaveGame(false);

  const closeGame = () => gameWindow.current?.close();

  /** Opens an empty window during the tap, because browsers block it later, and navigates it to the game. */
  async function open(): Promise<void> {
    const unused = ticket.current;
    if (unused && parseHttpUrl(unused.launch.gameUrl) === null) {
      toast.error(emptyUrl);
      ticket.current = null;
      return;
    }
    const game = window.open('', '_blank');
    if (!game) {
      toast.error(popupBlocked, { long: true });
      return;
    }
    // The game must not control this page.
    game.opener = null;
    ticket.current = null;
    setBusy(true);
    try {
      const next = unused && Date.now() < unused.until ? unused.launch : await launchGame(choice);
      const url = parseHttpUrl(next.gameUrl);
      if (!url) {
        game.close();
        toast.error(emptyUrl);
        return;
      }
      game.location.replace(url.href);
      closeGame();
      gameWindow.current = game;
      setCurrent(next);
      setOpened(true);
    } catch (thrown) {
      game.close();
      toast.error(describeError(thrown));
    } finally {
      setBusy(false);
    }
  }

  const openFirst = useEffectEvent(() => {
    ticket.current = { launch, until: Date.now() + ticketLifetimeMs };
    void open();
  });
  // The browser counts this as part of the tap that opened this screen. If that tap is too old, it blocks the window.
  useEffect(() => {
    const timer = setTimeout(openFirst);
    return () => clearTimeout(timer);
  }, []);
  const closeOnUnmount = useEffectEvent(closeGame);
  useEffect(() => () => closeOnUnmount(), []);

  const card = (
    <Empty
      art={artUrl('icons/gamepad.webp')}
      icon="game-controller"
      title={opened ? t`The game is open in another window` : t`This game opens in a new window`}
      text={t`Your time and result are counted here too. Leaving this page ends the game.`}
      actions={
        <>
          <Button size="md" icon="arrow-square-out" busy={busy} onPress={() => void open()}>
            {opened ? t`Open it again` : t`Open the game`}
          </Button>
          <Button variant="secondary" size="md" onPress={() => leaving.leave()}>
            {t`Back`}
          </Button>
        </>
      }
    />
  );
  if (!opened) return <div className={styles.screen}>{card}</div>;
  return (
    <WindowedSession
      key={current.playId}
      playId={current.playId}
      leaving={leaving}
      onRestart={() => void open()}
      onEnded={closeGame}
    >
      {card}
    </WindowedSession>
  );
}

type WindowedSessionProps = {
  playId: string;
  leaving: LeaveGame;
  onRestart: () => void;
  onEnded: () => void;
  children: ReactNode;
};

function WindowedSession({ playId, leaving, onRestart, onEnded, children }: WindowedSessionProps) {
  const session = usePlaySession(playId, {
    busy: false,
    reportsRounds: false,
    pollUntilOpened: false,
  });
  const { ended } = session;
  const notifyEnded = useEffectEvent(onEnded);
  useEffect(() => {
    if (ended) notifyEnded();
  }, [ended]);

  return (
    <div className={styles.screen}>
      {ended ? (
        <PlayEnded
          reason={ended}
          activeBreak={session.activeBreak}
          onRestart={onRestart}
          onLeave={(to) => leaving.leave(to)}
        />
      ) : (
        children
      )}
      <SessionStats play={session.displayed} />
      <RealityCheck
        open={session.isCheckDue && !ended}
        play={session.play}
        onContinue={session.acknowledge}
        onLeave={(to) => leaving.leaveNow(to)}
      />
    </div>
  );
}
