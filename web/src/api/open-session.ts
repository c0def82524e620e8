import { sessionStore } from '../lib/storage.ts';
import { endOnServer } from './ending.ts';
import { currentSession, openSession, type Grant, type Session } from './session.ts';

/** Under which session storage keeps the name of whoever plays without an account. */
export const trialKey = 'trialName';

/** Opens the session that a way in gave. One that was open before, a trial's, ends on the server too. */
export function openGrantedSession(grant: Grant, merchantCode: string): Session {
  const before = currentSession()?.token;
  const session = openSession(grant, merchantCode);
  if (before !== undefined && before !== session.token) {
    sessionStore.remove(trialKey);
    void endOnServer(before);
  }
  return session;
}
