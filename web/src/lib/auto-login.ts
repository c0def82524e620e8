import { localStore } from './storage.ts';

const key = 'autoLogin';

/** Whether the next visit logs in without being asked. */
export const isAutoLogin = (): boolean => localStore.get(key) === '1';

export function setAutoLogin(wished: boolean): void {
  localStore.set(key, wished ? '1' : '0');
}
