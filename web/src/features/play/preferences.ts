import { useState } from 'react';

import { localStore } from '../../lib/storage.ts';

export type Preferences = { sound: boolean; haptics: boolean };

/** Sound is on by default, because browsers allow none before the first touch. */
const read = (name: string) => localStore.get(`game.${name}`) !== 'off';

/** Sound and haptics of all games, stored on this device. */
export function usePreferences(): [Preferences, (change: Partial<Preferences>) => void] {
  const [preferences, setPreferences] = useState(() => ({
    sound: read('sound'),
    haptics: read('haptics'),
  }));
  function change(part: Partial<Preferences>): void {
    for (const [name, on] of Object.entries(part))
      localStore.set(`game.${name}`, on ? 'on' : 'off');
    setPreferences((before) => ({ ...before, ...part }));
  }
  return [preferences, change];
}
