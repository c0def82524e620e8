import { useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

import { barActionsId } from '../lib/bar.ts';

/** Shows a screen's actions in the title bar, which stays the same while a screen is mounted. */
const subscribe = () => () => {};
const findBar = () => document.getElementById(barActionsId);

export function BarActions({ children }: { children: ReactNode }) {
  const bar = useSyncExternalStore(subscribe, findBar);
  return bar && createPortal(children, bar);
}
