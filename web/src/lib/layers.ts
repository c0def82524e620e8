// Each layer over a screen, such as a menu or a dialog, has one history entry, so that back closes it. Closing it in another way removes
// the entry too.

/** The app's state in each history entry. */
export type Entry = {
  /** Identifies the entry, to restore its scroll position. */
  key: string;
  /** The number of this app's entries before this one. */
  depth: number;
  /** The URL that led here. */
  from?: string | undefined;
  /** The entry belongs to a layer. */
  layer?: true;
};

export function entry(): Entry | null {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'depth' in state ? (state as Entry) : null;
}

/** Returns the current entry's key; a page opened from outside has none. */
export function entryKey(): string {
  return entry()?.key ?? 'first';
}

type Layer = { close: () => void };

const layers: Layer[] = [];
/** Functions to run after a pending `history.back()`, which browsers perform asynchronously. */
let waiting: (() => void)[] | null = null;
/** The depth of an entry that a layer left behind before a reload. */
let stale: number | null = null;

/** Reports whether the current entry belongs to a layer. */
export const onLayer = (): boolean => entry()?.layer === true;

/** Lets back close a layer that has just opened. Returns a function to call when it closes in another way. */
export function onStepBack(close: () => void): () => void {
  const layer: Layer = { close };
  layers.push(layer);
  stale = null;
  queueMicrotask(settle);
  return () => {
    const index = layers.indexOf(layer);
    if (index !== -1) layers.splice(index, 1);
    // One layer may replace another at the same time. Both use one entry.
    queueMicrotask(settle);
  };
}

export function closeLayers(): void {
  stale = null;
  for (const layer of layers.splice(0)) layer.close();
}

/** Queues a function if a step back is pending, and reports whether it did. */
export function afterStep(action: () => void): boolean {
  if (!waiting) return false;
  waiting.push(action);
  return true;
}

/** Removes the layer's entry, then runs a function. */
export function dropLayerStep(action: () => void = () => {}): void {
  // A second step back would leave the screen.
  if (afterStep(action)) return;
  stale = null;
  waiting = [action];
  history.back();
}

function settle(): void {
  if (waiting) return;
  if (layers.length > 0 && !onLayer()) {
    const below = entry();
    const step: Entry = {
      key: entryKey(),
      depth: (below?.depth ?? 0) + 1,
      from: below?.from,
      layer: true,
    };
    history.pushState(step, '');
  } else if (layers.length === 0 && onLayer() && stale === null) {
    dropLayerStep();
  }
}

function follow(): void {
  if (waiting) {
    const actions = waiting;
    waiting = null;
    for (const action of actions) action();
  } else if (stale !== null) {
    // After a reload the entry's layer is gone: this step back is meant for the screen.
    const below = (entry()?.depth ?? 0) === stale - 1;
    stale = null;
    if (below) history.back();
  } else if (!onLayer()) {
    layers.pop()?.close();
  }
  // Also reached by stepping forward to the entry of a closed layer.
  settle();
}

addEventListener('popstate', follow);
// A reloaded page has no open layer, but its entry stays: a step back during loading may be doubled by the browser and leave the
// screen.
if (onLayer()) stale = entry()?.depth ?? 1;
