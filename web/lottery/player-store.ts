// What the page stores on the device. Members who share a device do not see each other's tickets.
import { localStore } from '../src/lib/storage.ts';

let player = '';

/** Sets the player whose values are read and written from now on. */
export function setPlayer(id: string): void {
  player = id;
}

const keyOf = (name: string): string => `lottery.${player}.${name}`;

export const playerStore = {
  get: (name: string): string | null => localStore.get(keyOf(name)),
  set: (name: string, value: string): void => localStore.set(keyOf(name), value),
  remove: (name: string): void => localStore.remove(keyOf(name)),
};
