import { errorOfThrown } from '../i18n/api-error.ts';
import { client, value } from './client.ts';
import { sessionPassword, storeSessionPassword } from './remembered-login.ts';
import {
  currentSession,
  endSession,
  openSession,
  setRenewing,
  syncFromStorage,
  withTokenLock,
} from './session.ts';

/** Replaces the session's token; the old one stops working. If several tabs renew at once, the first does it for all. */
export async function renewToken(): Promise<void> {
  const token = currentSession()?.token;
  if (token === undefined) return;
  await withTokenLock(() => replaceToken(token));
}

async function replaceToken(token: string): Promise<void> {
  syncFromStorage();
  const before = currentSession();
  if (before?.token !== token) return;
  setRenewing(token);
  try {
    const grant = await value(client.PUT('/wps/session/renew'));
    setRenewing(undefined);
    syncFromStorage();
    if (currentSession()?.token !== token) return;
    const password = sessionPassword();
    openSession(grant, before.merchantCode);
    storeSessionPassword(password ?? '');
  } catch (thrown) {
    setRenewing(undefined);
    // Waiting here would deadlock: endSession needs the lock that this function holds.
    if (errorOfThrown(thrown).endsSession) void endSession(token);
  }
}
