// The unsent text of the live chat. The input and the offline form share it, and it survives a reload.
import { useSyncExternalStore } from 'react';

import { sessionStore } from '../../lib/storage.ts';

const draftKey = 'chat-draft';
const listeners = new Set<() => void>();

export const readDraft = (): string => sessionStore.get(draftKey) ?? '';

export function storeDraft(text: string): void {
  if (text) sessionStore.set(draftKey, text);
  else sessionStore.remove(draftKey);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useDraft = (): string => useSyncExternalStore(subscribe, readDraft);
