import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { closeLayers, dropLayerStep, entry, onStepBack, onLayer } from '../../lib/layers.ts';
import { homePath, navigate } from '../../lib/router.tsx';

export type Leaving = {
  /** Goes where one came from, or elsewhere: at once, or after the round that runs. Asked again, at once. */
  leave: (to?: string) => void;
  /** Without waiting for a round. The server settles it all the same. */
  now: (to?: string) => void;
  /** Somebody wants to leave, and a round still runs. */
  waits: boolean;
};

/** Where one came from, or home when this app has no step behind it. */
function stepBack(): void {
  if ((entry()?.depth ?? 0) > 0) history.back();
  else navigate(homePath, { replace: true });
}

/** The ways out of a game. A step back is one of them: it asks nothing, but lets a round that runs end. */
export function useLeaving(busy: boolean): Leaving {
  const [wanted, setWanted] = useState<{ to: string | undefined } | null>(null);
  const gone = useRef(false);

  function now(to?: string): void {
    if (gone.current) return;
    gone.current = true;
    if (to !== undefined) {
      navigate(to);
    } else if (onLayer()) {
      // The game, and what may lie over it, have a step of their own: it is given back first.
      closeLayers();
      dropLayerStep(stepBack);
    } else {
      stepBack();
    }
  }

  function leave(to?: string): void {
    if (busy && wanted === null) setWanted({ to });
    else now(to ?? wanted?.to);
  }

  /** A step back was taken. Tells whether the game stays for now. */
  const step = useEffectEvent((): boolean => {
    if (gone.current || !busy || wanted !== null) {
      gone.current = true;
      stepBack();
      return false;
    }
    setWanted({ to: undefined });
    return true;
  });
  useEffect(() => {
    let release = () => {};
    const listen = () => {
      release = onStepBack(() => {
        // Whatever goes elsewhere closes what lies over the screen first: that is no step back.
        if (!onLayer() && step()) listen();
      });
    };
    listen();
    return () => release();
  }, []);

  const settled = useEffectEvent(() => {
    if (wanted) now(wanted.to);
  });
  useEffect(() => {
    if (!busy) settled();
  }, [busy]);

  return { leave, now, waits: wanted !== null && busy };
}
