import { useEffect, useState, type ComponentType } from 'react';

import { enqueueIdle } from '../lib/idle.ts';

export type DeferredProps<P> = {
  load: () => Promise<{ default: ComponentType<P> }>;
  props?: P;
  /** Waits for the first input, or six seconds. */
  afterInput?: boolean | undefined;
};

const touches = ['pointerdown', 'scroll', 'keydown'] as const;
const goodWhile = 6000;

/** Components by loader, so they render at once the next time. */
const loaded = new WeakMap<object, unknown>();

/** Loads and renders a component when the browser is idle. Renders nothing if loading fails. */
export function Deferred<P extends object>({ load, props, afterInput = false }: DeferredProps<P>) {
  const [Piece, setPiece] = useState(() => loaded.get(load) as ComponentType<P> | undefined);
  useEffect(() => {
    if (Piece) return;
    const over = new AbortController();
    let stop = () => {};
    const begin = () => {
      stop();
      stop = enqueueIdle(() => {
        load().then(
          (piece) => {
            loaded.set(load, piece.default);
            return over.signal.aborted || setPiece(() => piece.default);
          },
          () => {},
        );
      });
    };
    if (afterInput) {
      const timer = setTimeout(begin, goodWhile);
      stop = () => clearTimeout(timer);
      const options = { once: true, passive: true, signal: over.signal };
      for (const touch of touches) addEventListener(touch, begin, options);
    } else {
      begin();
    }
    return () => {
      over.abort();
      stop();
    };
  }, [load, afterInput, Piece]);
  return Piece && <Piece {...(props as P)} />;
}
