import { onHomeScreen } from './standalone.ts';
import { localStore } from './storage.ts';

const key = 'WEBCLIP';

/** Whether the app was first opened by the icon that an Apple profile made. */
export const isWebClip = (): boolean => localStore.get(key) !== null;

/**
 * Remembers it when that icon opens the app, by the mark in its address. It opens a window of its own, as the first
 * page there: anybody can write the same address into a link.
 */
export function noteWebClip(): void {
  if (new URLSearchParams(location.search).has(key) && onHomeScreen() && history.length === 1)
    localStore.set(key, '1');
}
