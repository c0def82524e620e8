import { sessionStore } from '../lib/storage.ts';
import { logOutOnServer } from './pending-logouts.ts';
import { currentSession, openSession, type Grant, type Session } from './session.ts';

export const trialKey = 'trialName';

/** Opens a new session. If another one is open, such as a guest's, it ends on the server too. */
export function openGrantedSession(grant: Grant, merchantCode: string): Session {
  const before = currentSession()?.token;
  const session = openSession(grant, merchantCode);
  if (before !== undefined && before !== session.token) {
    sessionStore.remove(trialKey);
    void logOutOnServer(before);
  }
  return session;
}
