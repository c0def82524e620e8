import { create } from 'zustand';

import { localStore, sessionStore } from '../lib/storage.ts';

/** Member types that stand for a real account; every other one is a guest. */
const realTypes: ReadonlySet<number> = new Set([0, 1, 2]);
const agentTypes: ReadonlySet<number> = new Set([1, 2]);

/** The type of a guest or trial user, and of anyone whose type is not known. */
const guestType = 4;

export type Session = {
  token: string;
  type: number;
  userName: string;
  merchantCode: string;
  firstTimeLogin: boolean;
};

/** Each field has a key of its own in local storage, so that all tabs see the same session. */
const keys = ['token', 'type', 'userName', 'merchantCode', 'firstTimeLogin'] as const;

/** Tokens to be ended: beside the session's own keys, so that no tab takes one for a token to play with. */
export const endingKey = 'ending';

/** What a header can carry. Anything else would fail every request before it is sent. */
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
  /** Why there is no session any more, until someone has told the member. */
  ended: boolean;
};

export const useSessionStore = create<SessionState>(() => ({ session: read(), ended: false }));

export const useSession = (): Session | null => useSessionStore((state) => state.session);

export const useLoggedIn = (): boolean => useSessionStore((state) => state.session !== null);

export const currentSession = (): Session | null => useSessionStore.getState().session;

/**
 * For questions that only members may ask. Whether there is one is looked at once more when it is asked: effects may
 * run when the session that was drawn has gone.
 */
export const whileLoggedIn = (wanted: boolean) => (): boolean =>
  wanted && currentSession() !== null;

export const isReal = (session: Session | null): boolean =>
  session !== null && realTypes.has(session.type);

export const isAgent = (session: Session | null): boolean =>
  session !== null && agentTypes.has(session.type);

/** What the server answers to every way in. */
export type Grant = { token: string; type: number; userName: string; firstTimeLogin: boolean };

/** The session that a grant opens, for all tabs. */
export function openSession(grant: Grant, merchantCode: string): Session {
  const { token, type, userName, firstTimeLogin } = grant;
  const session = { token, type, userName, merchantCode, firstTimeLogin };
  startSession(session);
  return session;
}

export function startSession(session: Session): void {
  // The token goes last: a tab that wakes up on it finds the other fields in place.
  for (const key of keys.toReversed()) localStore.set(key, String(session[key]));
  useSessionStore.setState({ session, ended: false });
}

/** Forgets the session and everything that belongs to it, in this tab and all others. */
export function clearSession(): void {
  forget(false);
}

function forget(ended: boolean): void {
  for (const key of keys) localStore.remove(key);
  sessionStore.clear();
  useSessionStore.setState({ session: null, ended });
}

let renewing: string | undefined;

/** While a token is being changed for a new one, its death is no news. */
export function setRenewing(token: string | undefined): void {
  renewing = token;
}

/**
 * Runs a task while no other tab changes the token. Not every browser has locks; without them two tabs may renew at
 * once, and one is told to log in again.
 */
export function holdToken<T>(task: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('renew', task) : task();
}

/**
 * The server no longer knows this token. A late answer to an older token changes nothing, and where another tab is
 * getting a new token the session goes on with that.
 */
export async function endSession(token: string): Promise<void> {
  const isOver = () => currentSession()?.token === token && token !== renewing;
  if (!isOver()) return;
  const settle = () => {
    takeStored();
    if (isOver()) forget(true);
  };
  // A browser that refuses the lock must not keep the session open.
  await holdToken(async () => settle()).catch(settle);
}

/** Takes over the session that another tab has stored or removed, whose event may not have come yet. */
export function takeStored(): void {
  const session = read();
  if (session?.token === currentSession()?.token) return;
  if (!session) sessionStore.clear();
  useSessionStore.setState({ session, ended: false });
}

export function acknowledgeEnd(): void {
  useSessionStore.setState({ ended: false });
}

/** Follows what other tabs do to the session. Returns the function that stops following. */
export function followOtherTabs(): () => void {
  addEventListener('storage', followStorage);
  return () => removeEventListener('storage', followStorage);
}

function followStorage({ key }: StorageEvent): void {
  // Without a key the whole storage was emptied.
  if (key === null || key === 'token') takeStored();
}
