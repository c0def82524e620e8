import { useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

import { barActionsId } from '../lib/bar.ts';

/** The bar never appears or disappears while a screen is mounted. */
const follow = () => () => {};
const find = () => document.getElementById(barActionsId);

/** Adds controls to the top bar. */
export function BarActions({ children }: { children: ReactNode }) {
  const place = useSyncExternalStore(follow, find);
  return place && createPortal(children, place);
}
