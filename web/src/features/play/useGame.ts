import { useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject } from 'react';

import { touch } from '../../api/member.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import {
  listen,
  parseGameMessage,
  send,
  type GameMessage,
  type Peer,
} from '../../lib/game-messages.ts';
import { useReducedMotion } from '../../lib/motion.ts';
import { useTheme } from '../../lib/theme.ts';
import type { Framing } from './frame.ts';
import { usePreferences, type Preferences } from './preferences.ts';

type Ready = Extract<GameMessage, { type: 'ready' }>;

/** What the next round will be drawn from. */
export type Promised = Extract<GameMessage, { type: 'promise' }>;

/**
 * How long a game is believed that a round runs: as long as the server lets a round end after a check is due, and less where the
 * code is not ours. After that nothing is held back for it any more.
 */
const busyMs = { own: 60_000, vendor: 15_000 };

type Handlers = {
  onClose: () => void;
  onProof: (roundId: string) => void;
  onRound: () => void;
  /** A stake was refused for one of the member's limits. */
  onLimit: () => void;
  onLimits: () => void;
};

export type Game = {
  /** What the game says of itself; a vendor's may say nothing. */
  ready: Ready | null;
  /** It could not be opened, as it says itself. It may still come. */
  failed: boolean;
  /** A round runs, for all that may be believed. */
  busy: boolean;
  /** A round runs, for all that the game has said. */
  runs: boolean;
  /** The last round that ended here. */
  lastRound: string | undefined;
  promised: Promised | null;
  /** Something of the game's own lies over it. Only games of ours are asked: another could hold a step back for ever. */
  sheet: boolean;
  dismiss: () => void;
  expired: boolean;
  preferences: Preferences;
  prefer: (change: Partial<Preferences>) => void;
  peer: Peer;
};

/** Talks with the game in the frame: what it says is believed, what it should know is told. */
export function useGame(
  frame: RefObject<HTMLIFrameElement | null>,
  framing: Framing,
  handlers: Handlers,
): Game {
  const [ready, setReady] = useState<Ready | null>(null);
  const [busy, setBusy] = useState(false);
  const unsettled = useRef(false);
  const [tooLong, setTooLong] = useState(false);
  const [failed, setFailed] = useState(false);
  const [lastRound, setLastRound] = useState<string>();
  const [promised, setPromised] = useState<Promised | null>(null);
  const [sheet, setSheet] = useState(false);
  const [expired, setExpired] = useState(false);
  const [preferences, prefer] = usePreferences();
  const theme = useTheme();
  const language = useLanguage();
  const reducedMotion = useReducedMotion();
  const { origin, own } = framing;
  const peer = useMemo<Peer>(
    () => ({ window: () => frame.current?.contentWindow, origin }),
    [frame, origin],
  );

  const hear = useEffectEvent((message: GameMessage) => {
    switch (message.type) {
      case 'ready':
        setReady(message);
        setSheet(false);
        break;
      case 'busy':
        setBusy(message.busy);
        // A round without a result was refused: a reality check may be due of which this page has not heard.
        if (!message.busy && unsettled.current) handlers.onRound();
        unsettled.current = message.busy;
        break;
      case 'round':
        unsettled.current = false;
        setLastRound(message.roundId);
        handlers.onRound();
        break;
      case 'promise':
        setPromised(message);
        break;
      case 'close':
        handlers.onClose();
        break;
      case 'proof':
        handlers.onProof(message.roundId);
        break;
      case 'failed':
        setFailed(true);
        break;
      case 'limit':
        handlers.onLimit();
        break;
      case 'limits':
        handlers.onLimits();
        break;
      case 'sheet':
        setSheet(own && message.open);
        break;
      case 'expired':
        setExpired(true);
        setBusy(false);
        // Where the member's own session is over too, the login follows.
        touch().catch(() => {});
        break;
      case 'preference': {
        const { sound, haptics } = message;
        prefer({
          ...(sound !== undefined && { sound }),
          ...(haptics !== undefined && { haptics }),
        });
        break;
      }
    }
  });
  useEffect(() => listen(peer, parseGameMessage, (message) => hear(message)), [peer]);

  const { sound, haptics } = preferences;
  useEffect(() => {
    if (!ready) return;
    send(peer, { type: 'settings', theme, language, sound, haptics, reducedMotion });
  }, [peer, ready, theme, language, sound, haptics, reducedMotion]);

  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setTooLong(true), own ? busyMs.own : busyMs.vendor);
    return () => {
      clearTimeout(timer);
      setTooLong(false);
    };
  }, [busy, own]);

  return {
    ready,
    failed,
    busy: busy && !tooLong,
    runs: busy,
    lastRound,
    promised,
    sheet,
    dismiss: () => {
      setSheet(false);
      send(peer, { type: 'dismiss' });
    },
    expired,
    preferences,
    prefer,
    peer,
  };
}

/** Lets no new round begin, or lets them again. The game is told of each change, and when it has just come. */
export function usePause({ peer, ready }: Game, paused: boolean): void {
  useEffect(() => {
    if (ready) send(peer, { type: 'pause', paused });
  }, [peer, ready, paused]);
}
