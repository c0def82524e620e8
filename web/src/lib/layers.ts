// What lies over a screen, such as a menu or a question, has one step of the browser's history to itself: a
// step back closes it and leaves the screen where it is. However it is closed, the step goes with it.

/** What this app keeps with each entry of the browser's history. */
export type Entry = {
  /** Names the entry, so that its scroll position can be found again. */
  key: string;
  /** How many entries of this app lie behind this one. */
  depth: number;
  /** The address that this entry was reached from. */
  from?: string | undefined;
  /** The entry is that of a layer over the screen. */
  layer?: true;
};

export function entry(): Entry | null {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'depth' in state ? (state as Entry) : null;
}

/** The current entry's name; a page that was opened from outside has none yet. */
export function entryKey(): string {
  return entry()?.key ?? 'first';
}

type Layer = { close: () => void };

const layers: Layer[] = [];
/** What waits for a step back that is under way: the browser takes it a moment after it is asked to. */
let waiting: (() => void)[] | null = null;
/** The depth of the step that the layer of a page loaded anew has left behind, until it is used or given back. */
let stale: number | null = null;

/** Whether the current step belongs to a layer. */
export const onLayer = (): boolean => entry()?.layer === true;

/** Lets a step back close what has just opened. Returns the function for when it has closed otherwise. */
export function onStepBack(close: () => void): () => void {
  const layer: Layer = { close };
  layers.push(layer);
  stale = null;
  queueMicrotask(settle);
  return () => {
    const index = layers.indexOf(layer);
    if (index !== -1) layers.splice(index, 1);
    // One layer may give way to another in the same moment; they share the step.
    queueMicrotask(settle);
  };
}

export function closeLayers(): void {
  stale = null;
  for (const layer of layers.splice(0)) layer.close();
}

/** Does something now or, while a step back is under way, after it. Tells which. */
export function afterStep(action: () => void): boolean {
  if (!waiting) return false;
  waiting.push(action);
  return true;
}

/** Takes back the layer's own step, then does something. */
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
    // The step back was meant for the screen, not for a layer that nobody has seen since the page was loaded.
    const below = (entry()?.depth ?? 0) === stale - 1;
    stale = null;
    if (below) history.back();
  } else if (!onLayer()) {
    layers.pop()?.close();
  }
  // Also for the step of a layer that is long closed, reached by a step forward.
  settle();
}

addEventListener('popstate', follow);
// A page that is loaded anew has no layer open, whatever its history says. The step stays all the same: one taken
// back while a page loads may come twice, with that of the page before it, and so lead away from the screen.
if (onLayer()) stale = entry()?.depth ?? 1;
