import { create } from 'zustand';

import { localStore, sessionStore } from '../lib/storage.ts';

/** Member types with a real account. Every other type is a guest. */
const realTypes: ReadonlySet<number> = new Set([0, 1, 2]);
const agentTypes: ReadonlySet<number> = new Set([1, 2]);

/** The type of guests, and of members whose type is unknown. */
const guestType = 4;

export type Session = {
  token: string;
  type: number;
  userName: string;
  merchantCode: string;
  firstTimeLogin: boolean;
};

/** Each field has its own key in local storage. All tabs share it. */
const keys = ['token', 'type', 'userName', 'merchantCode', 'firstTimeLogin'] as const;

/** The storage key of tokens that the server has not yet ended. It is separate, so that no tab uses them as a session. */
export const pendingLogoutsKey = 'ending';

/** Matches tokens that a header can carry. Any other token would fail every request. */
const sendable = /^[!-~]+$/;

function read(): Session | null {
  const token = localStore.get('token');
  if (!token) return null;
  if (!sendable.test(token)) {
    localStore.remove('token');
    return null;
  }
  const type = localStore.get('type');
  return {
    token,
    type: type !== null && /^\d{1,3}$/.test(type) ? Number(type) : guestType,
    userName: localStore.get('userName') ?? '',
    merchantCode: localStore.get('merchantCode') ?? '',
    firstTimeLogin: localStore.get('firstTimeLogin') === 'true',
  };
}

type SessionState = {
  session: Session | null;
  /** True from when the server ended the session until the member was notified. */
  ended: boolean;
};

export const useSessionStore = create<SessionState>(() => ({ session: read(), ended: false }));

export const useSession = (): Session | null => useSessionStore((state) => state.session);

export const useLoggedIn = (): boolean => useSessionStore((state) => state.session !== null);

export const currentSession = (): Session | null => useSessionStore.getState().session;

/**
 * Returns the `enabled` function of a query for members. It checks the session again, because effects may run after it ended.
 */
export const whileLoggedIn = (enabled: boolean) => (): boolean =>
  enabled && currentSession() !== null;

export const isRealAccount = (session: Session | null): boolean =>
  session !== null && realTypes.has(session.type);

export const isAgent = (session: Session | null): boolean =>
  session !== null && agentTypes.has(session.type);

/** The server's response to every kind of login. */
export type Grant = { token: string; type: number; userName: string; firstTimeLogin: boolean };

/** Opens a session in all tabs. */
export function openSession(grant: Grant, merchantCode: string): Session {
  const { token, type, userName, firstTimeLogin } = grant;
  const session = { token, type, userName, merchantCode, firstTimeLogin };
  startSession(session);
  return session;
}

export function startSession(session: Session): void {
  // Write the token last: other tabs react to it and need the other fields.
  for (const key of keys.toReversed()) localStore.set(key, String(session[key]));
  useSessionStore.setState({ session, ended: false });
}

/** Removes the session and its data in all tabs. */
export function clearSession(): void {
  forget(false);
}

function forget(ended: boolean): void {
  for (const key of keys) localStore.remove(key);
  sessionStore.clear();
  useSessionStore.setState({ session: null, ended });
}

let renewing: string | undefined;

/** Marks a token as being renewed. A 401 for it does not end the session. */
export function setRenewing(token: string | undefined): void {
  renewing = token;
}

/**
 * Runs a task while no other tab changes the token. Some browsers have no locks. There, two tabs may renew at once, and one must log in
 * again.
 */
export function withTokenLock<T>(task: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('renew', task) : task();
}

/**
 * Ends the session because the server rejected its token. It ignores late responses for an older token, and tokens that another tab
 * is renewing.
 */
export async function endSession(token: string): Promise<void> {
  const isOver = () => currentSession()?.token === token && token !== renewing;
  if (!isOver()) return;
  const settle = () => {
    syncFromStorage();
    if (isOver()) forget(true);
  };
  // If the browser refuses the lock, end the session without it.
  await withTokenLock(async () => settle()).catch(settle);
}

/** Adopts a change that another tab has stored, before its storage event arrives. */
export function syncFromStorage(): void {
  const session = read();
  if (session?.token === currentSession()?.token) return;
  if (!session) sessionStore.clear();
  useSessionStore.setState({ session, ended: false });
}

export function acknowledgeEnd(): void {
  useSessionStore.setState({ ended: false });
}

/** Applies session changes of other tabs. Returns a function that stops it. */
export function watchOtherTabs(): () => void {
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

function onStorage({ key }: StorageEvent): void {
  // The key is null when the whole storage was cleared.
  if (key === null || key === 'token') syncFromStorage();
}
