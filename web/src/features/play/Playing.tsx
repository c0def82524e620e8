import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { live } from '../../api/categories.gen.ts';
import { proofPath } from '../../api/fairness.ts';
import type { Launch } from '../../api/play.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useCloseOnBack } from '../../ui/useCloseOnBack.ts';
import { Ended } from './Ended.tsx';
import { FairPlay } from './FairPlay.tsx';
import type { Framing } from './frame.ts';
import { GameBar } from './GameBar.tsx';
import { GameMenu } from './GameMenu.tsx';
import { Layer } from './Layer.tsx';
import { useRenewedPolicy } from './page-policy.ts';
import { RealityCheck } from './RealityCheck.tsx';
import { Reconnecting } from './Reconnecting.tsx';
import { tellRoom } from './room.ts';
import { useConnection } from './useConnection.ts';
import { useGame, usePause } from './useGame.ts';
import { useHeldBalance } from './useHeldBalance.ts';
import { useJackpot } from './useJackpot.ts';
import { useLeaving } from './useLeaving.ts';
import { useSitting } from './useSitting.ts';
import { useToldBalance } from './useToldBalance.ts';

import styles from './Layer.module.css';

export type PlayingProps = {
  launch: Launch;
  framing: Framing;
  /** Starts the game anew: a ticket is good for one frame. */
  onAgain: () => void;
  /** The browser does not let the game be framed here. */
  onBlocked: () => void;
};

/** A game in its frame, with what belongs to every game around it. */
export function Playing({ launch, framing, onAgain, onBlocked }: PlayingProps) {
  const { t } = useLingui();
  const [menu, setMenu] = useState(false);
  const [shield, setShield] = useState(false);
  const cache = useQueryClient();
  const frame = useRef<HTMLIFrameElement>(null);
  const game = useGame(frame, framing, {
    onClose: () => leaving.leave(),
    onProof: (roundId) => leaving.leave(proofPath(sitting.play?.vendor, roundId)),
    onRound: () => sitting.refresh(),
    onLimit: () => {
      if (framing.own) void tellRoom(cache, game.peer);
    },
    onLimits: () => leaving.leave('/m/member/limits'),
  });
  useRenewedPolicy(framing.origin, onBlocked);
  const { busy } = game;
  const leaving = useLeaving(busy);
  const sitting = useSitting(launch.playId, {
    busy,
    spoken: game.ready !== null,
    awaited: !framing.own,
  });
  const connection = useConnection(launch.playId);
  const held = useHeldBalance(busy);
  const ended = sitting.ended ?? (game.expired ? 'expired' : null);
  // What ran when play ended is still told.
  const over = useAfterRound(ended !== null, busy);
  const checking = useAfterRound(sitting.due, busy) && !ended;
  const settled = useEffectEvent(() => sitting.refresh());
  useEffect(() => {
    if (over) settled();
  }, [over]);
  useCloseOnBack(game.sheet && !over, game.dismiss);
  usePause(game, sitting.due || connection.lost || leaving.waits || ended !== null);
  const { play } = sitting;
  // A frame whose vendor cannot be reached loads too, with the browser's own page.
  const stands = framing.own ? game.ready !== null : play?.opened === true;
  const late = useLate(!stands);
  const jackpot = useJackpot(game, play, framing.own);
  useToldBalance(game, play, framing.own);
  // What a game says of itself is believed where it is ours; of others the server's word counts, and none of their rounds
  // can be proved here.
  const own = framing.own ? game.ready : null;

  return (
    <Layer backdrop={game.ready?.backdrop}>
      <GameBar
        title={own?.title ?? play?.gameName ?? ''}
        play={sitting.shown}
        balance={held}
        rtp={own?.rtp ?? null}
        provable={own ? own.provable : framing.own}
        onBack={() => leaving.leave()}
        onProof={() => setShield(true)}
        onMenu={() => setMenu(true)}
      />
      <div className={styles.stage}>
        {ended && over ? (
          <Ended
            why={ended}
            pause={sitting.pause}
            onAgain={onAgain}
            onLeave={(to) => leaving.leave(to)}
          />
        ) : (
          <>
            <iframe
              ref={frame}
              src={framing.src}
              title={own?.title ?? play?.gameName ?? t`Game`}
              sandbox={framing.sandbox}
              referrerPolicy="no-referrer"
              allow=""
              inert={checking}
              className={styles.frame}
            />
            {!stands && (late || game.failed) ? (
              <div className={styles.cover} role="alert">
                <Icon name="game-controller" size={44} />
                <h2 className={styles.title}>{t`The game did not start`}</h2>
                <p>{t`It has not answered so far. Wait a little longer, or try again.`}</p>
                <Button size="md" onPress={onAgain}>{t`Try again`}</Button>
                <Button variant="text" size="md" onPress={() => leaving.leave()}>
                  {t`Leave the game`}
                </Button>
              </div>
            ) : (
              !stands && (
                <div className={styles.cover} role="status">
                  <Spinner size={36} />
                  <p>{t`Starting the game…`}</p>
                </div>
              )
            )}
          </>
        )}
        {connection.lost && !ended && (
          <Reconnecting
            attempt={connection.attempt}
            round={own ? (game.runs ? 'runs' : 'none') : 'unknown'}
            long={connection.long}
            onLeave={() => leaving.now()}
          />
        )}
        {(leaving.waits || (ended && !over)) && (
          <p role="status" className={styles.pill}>
            {leaving.waits
              ? t`Leaving when this round has ended. Go back again to leave now: the round is settled all the same.`
              : t`Play ends with this round`}
          </p>
        )}
      </div>
      <GameMenu
        open={menu}
        onClose={() => setMenu(false)}
        preferences={game.preferences}
        onPreference={game.prefer}
        proof={proofPath(play?.vendor, game.lastRound)}
        jackpot={jackpot}
        onLeave={(to) => {
          setMenu(false);
          leaving.leave(to);
        }}
      />
      <FairPlay
        open={shield}
        onClose={() => setShield(false)}
        promised={framing.own ? game.promised : null}
        played={game.lastRound !== undefined}
        shared={play?.category === live}
        onCheck={() => {
          setShield(false);
          leaving.leave(proofPath(play?.vendor, game.lastRound));
        }}
      />
      <RealityCheck
        open={checking}
        play={play}
        onContinue={sitting.acknowledge}
        onLeave={(to) => leaving.now(to)}
      />
    </Layer>
  );
}

/** Whether what is due stands over the game. It waits for a round to end, once: a game that says busy again does not close it. */
function useAfterRound(due: boolean, busy: boolean): boolean {
  const [opened, setOpened] = useState(false);
  const open = due && (opened || !busy);
  if (open !== opened) setOpened(open);
  return open;
}

/** How long a game may take until there is something to see. */
const standsMs = 30_000;

function useLate(waits: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setLate(true), standsMs);
    return () => clearTimeout(timer);
  }, [waits]);
  return late;
}
