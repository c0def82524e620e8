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
import type { FrameSource } from './frame.ts';
import { usePreferences, type Preferences } from './preferences.ts';

type Ready = Extract<GameMessage, { type: 'ready' }>;

/** The commitment, client seed and nonce of the next round. */
export type NextRound = Extract<GameMessage, { type: 'promise' }>;

/** How long the app waits for a round to end. For House games it equals the time that the server allows a round after a reality check is due. */
const busyTimeoutMs = { house: 60_000, vendor: 15_000 };

type Handlers = {
  onClose: () => void;
  onProof: (roundId: string) => void;
  onRound: () => void;
  /** The server refused a stake because of a limit. */
  onStakeRefused: () => void;
  onOpenLimits: () => void;
};

export type Game = {
  /** The game's details. Vendor games may send none. */
  ready: Ready | null;
  /** The game reports that it could not open. It may still become ready. */
  failed: boolean;
  /** A round is in progress and has not timed out. */
  busy: boolean;
  /** The game's last message says that a round is in progress. There is no timeout. */
  busyReported: boolean;
  /** The id of the last ended round. */
  lastRound: string | undefined;
  nextRound: NextRound | null;
  /** A panel covers the game. Always false for vendor games: one could report an open panel forever and disable the back button. */
  isPanelOpen: boolean;
  closePanel: () => void;
  /** Opens the proof of an ended round over the game. */
  showProof: (roundId: string) => void;
  expired: boolean;
  preferences: Preferences;
  setPreferences: (change: Partial<Preferences>) => void;
  peer: Peer;
};

export function useGame(
  frame: RefObject<HTMLIFrameElement | null>,
  source: FrameSource,
  handlers: Handlers,
): Game {
  const [ready, setReady] = useState<Ready | null>(null);
  const [busy, setBusy] = useState(false);
  const hasUnsettledRound = useRef(false);
  const [hasTimedOut, setTimedOut] = useState(false);
  const [failed, setFailed] = useState(false);
  const [lastRound, setLastRound] = useState<string>();
  const [nextRound, setNextRound] = useState<NextRound | null>(null);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [expired, setExpired] = useState(false);
  const [preferences, setPreferences] = usePreferences();
  const theme = useTheme();
  const language = useLanguage();
  const reducedMotion = useReducedMotion();
  const { origin, isHouseGame } = source;
  const peer = useMemo<Peer>(
    () => ({ window: () => frame.current?.contentWindow, origin }),
    [frame, origin],
  );

  const onMessage = useEffectEvent((message: GameMessage) => {
    switch (message.type) {
      case 'ready':
        setReady(message);
        setPanelOpen(false);
        break;
      case 'busy':
        setBusy(message.busy);
        // The round ended without a result, so the server refused it. The reason may be a reality check that this page has not loaded.
        if (!message.busy && hasUnsettledRound.current) handlers.onRound();
        hasUnsettledRound.current = message.busy;
        break;
      case 'round':
        hasUnsettledRound.current = false;
        setLastRound(message.roundId);
        handlers.onRound();
        break;
      case 'promise':
        setNextRound(message);
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
        handlers.onStakeRefused();
        break;
      case 'limits':
        handlers.onOpenLimits();
        break;
      case 'sheet':
        setPanelOpen(isHouseGame && message.open);
        break;
      case 'expired':
        setExpired(true);
        setBusy(false);
        // Opens the login if the member's session has ended too.
        touch().catch(() => {});
        break;
      case 'preference': {
        const { sound, haptics } = message;
        setPreferences({
          ...(sound !== undefined && { sound }),
          ...(haptics !== undefined && { haptics }),
        });
        break;
      }
    }
  });
  useEffect(() => listen(peer, parseGameMessage, (message) => onMessage(message)), [peer]);

  const { sound, haptics } = preferences;
  useEffect(() => {
    if (!ready) return;
    send(peer, { type: 'settings', theme, language, sound, haptics, reducedMotion });
  }, [peer, ready, theme, language, sound, haptics, reducedMotion]);

  useEffect(() => {
    if (!busy) return;
    const { house, vendor } = busyTimeoutMs;
    const timer = setTimeout(() => setTimedOut(true), isHouseGame ? house : vendor);
    return () => {
      clearTimeout(timer);
      setTimedOut(false);
    };
  }, [busy, isHouseGame]);

  return {
    ready,
    failed,
    busy: busy && !hasTimedOut,
    busyReported: busy,
    lastRound,
    nextRound,
    isPanelOpen,
    closePanel: () => {
      setPanelOpen(false);
      send(peer, { type: 'dismiss' });
    },
    showProof: (roundId) => send(peer, { type: 'check', roundId }),
    expired,
    preferences,
    setPreferences,
    peer,
  };
}

export function usePause({ peer, ready }: Game, paused: boolean): void {
  useEffect(() => {
    if (ready) send(peer, { type: 'pause', paused });
  }, [peer, ready, paused]);
}
