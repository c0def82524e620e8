import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { closeLayers, dropLayerStep, entry, onStepBack, onLayer } from '../../lib/layers.ts';
import { homePath, mayOpen, navigate } from '../../lib/router.tsx';

export type LeaveGame = {
  /** Leaves for a path that the member may open, or goes back if there is none. Waits for a round in progress. A second call does not wait. */
  leave: (to?: string) => void;
  /** Leaves without waiting. The server settles a running round. */
  leaveNow: (to?: string) => void;
  isWaiting: boolean;
};

/** Goes back, or home when the history holds no earlier page of this app. */
function goBack(): void {
  if ((entry()?.depth ?? 0) > 0) history.back();
  else navigate(homePath, { replace: true });
}

/** Leaves the game when its round has ended. Also handles the back button. */
export function useLeaveGame(busy: boolean): LeaveGame {
  const [target, setTarget] = useState<{ to: string | undefined } | null>(null);
  const hasLeft = useRef(false);

  function leaveNow(to?: string): void {
    if (hasLeft.current || (to !== undefined && !mayOpen(to))) return;
    hasLeft.current = true;
    if (to !== undefined) {
      navigate(to);
    } else if (onLayer()) {
      // The game and its dialogs have a history entry, which goes first.
      closeLayers();
      dropLayerStep(goBack);
    } else {
      goBack();
    }
  }

  function leave(to?: string): void {
    if (to !== undefined && !mayOpen(to)) return;
    if (busy && target === null) setTarget({ to });
    else leaveNow(to ?? target?.to);
  }

  /** Handles the back button. Reports whether the game stays open for now. */
  const staysOnBack = useEffectEvent((): boolean => {
    if (hasLeft.current || !busy || target !== null) {
      hasLeft.current = true;
      goBack();
      return false;
    }
    setTarget({ to: undefined });
    return true;
  });
  useEffect(() => {
    let release = () => {};
    const listen = () => {
      release = onStepBack(() => {
        // Navigation closes open layers first, which is not the back button.
        if (!onLayer() && staysOnBack()) listen();
      });
    };
    listen();
    return () => release();
  }, []);

  const leaveAfterRound = useEffectEvent(() => {
    if (target) leaveNow(target.to);
  });
  useEffect(() => {
    if (!busy) leaveAfterRound();
  }, [busy]);

  return { leave, leaveNow, isWaiting: target !== null && busy };
}
