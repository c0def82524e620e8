import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { live } from '../../api/categories.gen.ts';
import { proofPath } from '../../api/fairness.ts';
import type { Launch } from '../../api/play.ts';
import { usePolicyRenewal } from '../../lib/page-policy.ts';
import { mayOpen } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useCloseOnBack } from '../../ui/useCloseOnBack.ts';
import { FairPlay } from './FairPlay.tsx';
import type { FrameSource } from './frame.ts';
import { GameBar } from './GameBar.tsx';
import { GameMenu } from './GameMenu.tsx';
import { Layer } from './Layer.tsx';
import { PlayEnded } from './PlayEnded.tsx';
import { RealityCheck } from './RealityCheck.tsx';
import { Reconnecting } from './Reconnecting.tsx';
import { sendRemainingLimit } from './remaining-limit.ts';
import { useConnection } from './useConnection.ts';
import { useDisplayedBalance } from './useDisplayedBalance.ts';
import { useGame, usePause } from './useGame.ts';
import { useJackpot } from './useJackpot.ts';
import { useLeaveGame } from './useLeaveGame.ts';
import { usePlaySession } from './usePlaySession.ts';
import { useSendBalance } from './useSendBalance.ts';

import styles from './Layer.module.css';

const frameDirectives = ['frame-src'];

export type FramedGameProps = {
  launch: Launch;
  source: FrameSource;
  /** Launches the game again, because a ticket opens one frame only. */
  onRestart: () => void;
  /** The browser refuses to frame the game. */
  onBlocked: () => void;
};

export function FramedGame({ launch, source, onRestart, onBlocked }: FramedGameProps) {
  const { t } = useLingui();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isFairPlayOpen, setFairPlayOpen] = useState(false);
  const cache = useQueryClient();
  const frame = useRef<HTMLIFrameElement>(null);
  const game = useGame(frame, source, {
    onClose: () => leaving.leave(source.wayBack),
    onProof: (roundId) => leaving.leave(proofPath(session.play?.vendor, roundId)),
    onRound: () => session.refresh(),
    onStakeRefused: () => {
      if (source.isHouseGame) void sendRemainingLimit(cache, game.peer);
    },
    onOpenLimits: () => leaving.leave('/m/member/limits'),
  });
  usePolicyRenewal(source.origin, frameDirectives, onBlocked);
  const { busy } = game;
  const leaving = useLeaveGame(busy);
  const session = usePlaySession(launch.playId, {
    busy,
    reportsRounds: game.ready !== null,
    pollUntilOpened: !source.isHouseGame,
  });
  const connection = useConnection(launch.playId);
  const balance = useDisplayedBalance(busy);
  const ended = session.ended ?? (game.expired ? 'expired' : null);
  // A round in progress when play ends is still shown.
  const isOver = useAfterRound(ended !== null, busy);
  const checking = useAfterRound(session.isCheckDue, busy) && !ended;
  const refreshSession = useEffectEvent(() => session.refresh());
  useEffect(() => {
    if (isOver) refreshSession();
  }, [isOver]);
  useCloseOnBack(game.isPanelOpen && !isOver, game.closePanel);
  usePause(game, session.isCheckDue || connection.isLost || leaving.isWaiting || ended !== null);
  const { play } = session;
  // The frame's load event proves nothing: it also fires for the browser's error page.
  const isOpen = source.isHouseGame ? game.ready !== null : play?.opened === true;
  const isLate = useStartTimeout(!isOpen);
  const hasJackpot = useJackpot(game, play, source.isHouseGame);
  useSendBalance(game, play, source.isHouseGame);
  // Only House games are trusted to describe themselves. For vendor games the server's data counts.
  const houseGame = source.isHouseGame ? game.ready : null;

  return (
    <Layer backdrop={game.ready?.backdrop}>
      <GameBar
        title={houseGame?.title ?? play?.gameName ?? ''}
        play={session.displayed}
        balance={balance}
        rtp={houseGame?.rtp ?? null}
        provable={houseGame ? houseGame.provable : source.isHouseGame}
        onBack={() => leaving.leave(source.wayBack)}
        onProof={() => setFairPlayOpen(true)}
        onMenu={() => setMenuOpen(true)}
      />
      <div className={styles.stage}>
        {ended && isOver ? (
          <PlayEnded
            reason={ended}
            activeBreak={session.activeBreak}
            onRestart={onRestart}
            onLeave={(to) => leaving.leave(to)}
          />
        ) : (
          <>
            <iframe
              ref={frame}
              src={source.src}
              title={houseGame?.title ?? play?.gameName ?? t`Game`}
              sandbox={source.sandbox}
              referrerPolicy="no-referrer"
              allow=""
              inert={checking}
              className={styles.frame}
            />
            {!isOpen && (isLate || game.failed) ? (
              <div className={styles.cover} role="alert">
                <Icon name="game-controller" size={44} />
                <h2 className={styles.title}>{t`The game did not start`}</h2>
                <p>{t`It has not answered so far. Wait a little longer, or try again.`}</p>
                <Button size="md" onPress={onRestart}>{t`Try again`}</Button>
                <Button variant="text" size="md" onPress={() => leaving.leave()}>
                  {t`Leave the game`}
                </Button>
              </div>
            ) : (
              !isOpen && (
                <div className={styles.cover} role="status">
                  <Spinner size={36} />
                  <p>{t`Starting the game…`}</p>
                </div>
              )
            )}
          </>
        )}
        {connection.isLost && !ended && (
          <Reconnecting
            attempt={connection.attempt}
            round={houseGame ? (game.busyReported ? 'runs' : 'none') : 'unknown'}
            canLeave={connection.canLeave}
            onLeave={() => leaving.leaveNow()}
          />
        )}
        {(leaving.isWaiting || (ended && !isOver)) && (
          <p role="status" className={styles.pill}>
            {leaving.isWaiting
              ? t`Leaving when this round has ended. Go back again to leave now: the round is settled all the same.`
              : t`Play ends with this round`}
          </p>
        )}
      </div>
      <GameMenu
        open={isMenuOpen}
        onClose={() => setMenuOpen(false)}
        preferences={game.preferences}
        onPreference={game.setPreferences}
        proofPath={proofPath(play?.vendor, game.lastRound)}
        hasJackpot={hasJackpot}
        onLeave={(to) => {
          if (to !== undefined && !mayOpen(to)) return;
          setMenuOpen(false);
          leaving.leave(to);
        }}
      />
      <FairPlay
        open={isFairPlayOpen}
        onClose={() => setFairPlayOpen(false)}
        nextRound={source.isHouseGame ? game.nextRound : null}
        hasPlayed={game.lastRound !== undefined}
        isShared={play?.category === live}
        onCheck={() => {
          setFairPlayOpen(false);
          if (source.isHouseGame && game.lastRound) game.showProof(game.lastRound);
          else leaving.leave(proofPath(play?.vendor, game.lastRound));
        }}
      />
      <RealityCheck
        open={checking}
        play={play}
        onContinue={session.acknowledge}
        onLeave={(to) => leaving.leaveNow(to)}
      />
    </Layer>
  );
}

/** Reports whether a due interruption is shown. It waits for one round to end. A later round does not hide it again. */
function useAfterRound(due: boolean, busy: boolean): boolean {
  const [opened, setOpened] = useState(false);
  const open = due && (opened || !busy);
  if (open !== opened) setOpened(open);
  return open;
}

const startTimeoutMs = 30_000;

function useStartTimeout(isStarting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isStarting) return;
    const timer = setTimeout(() => setLate(true), startTimeoutMs);
    return () => clearTimeout(timer);
  }, [isStarting]);
  return isLate;
}
