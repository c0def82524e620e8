import { useEffect, useState, type ComponentType } from 'react';

import { enqueueIdle } from '../lib/idle.ts';

export type DeferredProps<P> = {
  load: () => Promise<{ default: ComponentType<P> }>;
  props?: P;
  afterInput?: boolean | undefined;
};

const inputEvents = ['pointerdown', 'scroll', 'keydown'] as const;
/** After this time, the component loads even without input. */
const maxWaitMs = 6000;

/** Components by loader, so they render at once the next time. */
const cache = new WeakMap<object, unknown>();

/** Loads and renders a component when the browser is idle. Renders nothing if loading fails. */
export function Deferred<P extends object>({ load, props, afterInput = false }: DeferredProps<P>) {
  const [Loaded, setLoaded] = useState(() => cache.get(load) as ComponentType<P> | undefined);
  useEffect(() => {
    if (Loaded) return;
    const abort = new AbortController();
    let cancel = () => {};
    const start = () => {
      cancel();
      cancel = enqueueIdle(() => {
        load().then(
          (module) => {
            cache.set(load, module.default);
            return abort.signal.aborted || setLoaded(() => module.default);
          },
          () => {},
        );
      });
    };
    if (afterInput) {
      const timer = setTimeout(start, maxWaitMs);
      cancel = () => clearTimeout(timer);
      const options = { once: true, passive: true, signal: abort.signal };
      for (const event of inputEvents) addEventListener(event, start, options);
    } else {
      start();
    }
    return () => {
      abort.abort();
      cancel();
    };
  }, [load, afterInput, Loaded]);
  return Loaded && <Loaded {...(props as P)} />;
}
