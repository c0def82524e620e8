import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';

import { launchGame, type GameChoice, type Launch } from '../../api/play.ts';
import { describeError } from '../../i18n/api-error.ts';
import { artUrl } from '../../lib/art.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { toast } from '../../ui/toastStore.ts';
import { Ended } from './Ended.tsx';
import { readAddress } from './frame.ts';
import { RealityCheck } from './RealityCheck.tsx';
import { SessionStats } from './SessionStats.tsx';
import { useLeaving, type Leaving } from './useLeaving.ts';
import { useSitting } from './useSitting.ts';
import { emptyAddress, popupBlocked } from './words.ts';

import styles from './Refused.module.css';

/** A ticket opens a game once, and not for long: after this a new one is asked for. */
const ticketMs = 50_000;

/** A game that its vendor shows in a window of its own. What it comes to is followed here. */
export function InWindow({ launch, choice }: { launch: Launch; choice: GameChoice }) {
  const { t } = useLingui();
  const [current, setCurrent] = useState(launch);
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const ticket = useRef<{ launch: Launch; until: number } | null>(null);
  const shown = useRef<Window | null>(null);
  const leaving = useLeaving(false);

  const closeShown = () => shown.current?.close();

  /** The window is opened by the tap itself, as browsers allow no other, and led to the game when that is known. */
  async function open(): Promise<void> {
    const held = ticket.current;
    if (held && readAddress(held.launch.gameUrl) === null) {
      toast.error(emptyAddress);
      ticket.current = null;
      return;
    }
    const game = window.open('', '_blank');
    if (!game) {
      toast.error(popupBlocked, { long: true });
      return;
    }
    // A game has no business with the page that opened it.
    game.opener = null;
    ticket.current = null;
    setBusy(true);
    try {
      const next = held && Date.now() < held.until ? held.launch : await launchGame(choice);
      const address = readAddress(next.gameUrl);
      if (!address) {
        game.close();
        toast.error(emptyAddress);
        return;
      }
      game.location.replace(address.href);
      closeShown();
      shown.current = game;
      setCurrent(next);
      setOpened(true);
    } catch (thrown) {
      game.close();
      toast.error(describeError(thrown));
    } finally {
      setBusy(false);
    }
  }

  const first = useEffectEvent(() => {
    ticket.current = { launch, until: Date.now() + ticketMs };
    void open();
  });
  // Still on the tap that led here: where that is too long ago the browser says so.
  useEffect(() => {
    const timer = setTimeout(first);
    return () => clearTimeout(timer);
  }, []);
  const leftBehind = useEffectEvent(closeShown);
  useEffect(() => () => leftBehind(), []);

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
    <Followed
      key={current.playId}
      playId={current.playId}
      leaving={leaving}
      onAgain={() => void open()}
      onOver={closeShown}
    >
      {card}
    </Followed>
  );
}

type FollowedProps = {
  playId: string;
  leaving: Leaving;
  onAgain: () => void;
  /** The game's window has nothing more to show. */
  onOver: () => void;
  children: ReactNode;
};

/** What the game in the other window comes to, what is asked of its player, and what ends it. */
function Followed({ playId, leaving, onAgain, onOver, children }: FollowedProps) {
  const sitting = useSitting(playId, { busy: false, spoken: false, awaited: false });
  const { ended } = sitting;
  const over = useEffectEvent(onOver);
  useEffect(() => {
    if (ended) over();
  }, [ended]);

  return (
    <div className={styles.screen}>
      {ended ? (
        <Ended
          why={ended}
          pause={sitting.pause}
          onAgain={onAgain}
          onLeave={(to) => leaving.leave(to)}
        />
      ) : (
        children
      )}
      <SessionStats play={sitting.shown} />
      <RealityCheck
        open={sitting.due && !ended}
        play={sitting.play}
        onContinue={sitting.acknowledge}
        onLeave={(to) => leaving.now(to)}
      />
    </div>
  );
}
