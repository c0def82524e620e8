import { useEffect, useRef } from 'react';

import type { Destination } from './destinations.ts';

export type ShortcutActions = {
  isEnabled?: boolean;
  destinations: readonly Destination[];
  onSearch: () => void;
  onHelp: () => void;
  onGo: (path: string) => void;
};

/** The key of a destination must follow `g` within this time. */
const sequenceMs = 1500;

/** Listens to the keys `/`, `?`, and `g` followed by the key of a destination. */
export function useShortcuts(actions: ShortcutActions): void {
  const latestActions = useRef(actions);
  useEffect(() => {
    latestActions.current = actions;
  });
  useEffect(() => {
    let startedAt: number | null = null;
    function handleKey(event: KeyboardEvent): void {
      if (latestActions.current.isEnabled === false) return;
      if (event.defaultPrevented || hasModifier(event) || isTyping(event.target)) return;
      const inSequence = startedAt !== null && event.timeStamp - startedAt <= sequenceMs;
      startedAt = null;
      const action = actionOf(event.key, inSequence, latestActions.current);
      if (action === 'sequence') startedAt = event.timeStamp;
      if (action === null) return;
      event.preventDefault();
      if (typeof action === 'function') action();
    }
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, []);
}

function actionOf(
  key: string,
  inSequence: boolean,
  { destinations, onSearch, onHelp, onGo }: ShortcutActions,
): (() => void) | 'sequence' | null {
  if (inSequence) {
    const found = destinations.find((destination) => destination.key === key.toLowerCase());
    return found ? () => onGo(found.path) : null;
  }
  if (key === '/') return onSearch;
  if (key === '?') return onHelp;
  return key === 'g' ? 'sequence' : null;
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'));
