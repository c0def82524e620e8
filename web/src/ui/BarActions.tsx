import { useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

import { barActionsId } from '../lib/bar.ts';

/** The bar comes with the screen or was there before it: nothing needs to be followed. */
const follow = () => () => {};
const find = () => document.getElementById(barActionsId);

/** What a screen adds to the bar above it. */
export function BarActions({ children }: { children: ReactNode }) {
  const place = useSyncExternalStore(follow, find);
  return place && createPortal(children, place);
}
