import { useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

import { barActionsId } from '../lib/bar.ts';

/** The bar never appears or disappears while a screen is mounted. */
const subscribe = () => () => {};
const findBar = () => document.getElementById(barActionsId);

export function BarActions({ children }: { children: ReactNode }) {
  const bar = useSyncExternalStore(subscribe, findBar);
  return bar && createPortal(children, bar);
}
