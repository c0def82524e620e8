import { onHomeScreen } from './standalone.ts';
import { localStore } from './storage.ts';

const key = 'WEBCLIP';

/** Reports whether the app was first opened by an Apple profile's icon. */
export const isWebClip = (): boolean => localStore.get(key) !== null;

/** Remembers that the icon opened the app. The icon's URL has a parameter, and it opens the first page of its window. A link with the same parameter does not count. */
export function noteWebClip(): void {
  if (new URLSearchParams(location.search).has(key) && onHomeScreen() && history.length === 1)
    localStore.set(key, '1');
}
