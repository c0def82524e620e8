import { errorOfThrown } from '../i18n/api-error.ts';
import { client, value } from './client.ts';
import { sessionPassword, storeSessionPassword } from './remembered.ts';
import {
  currentSession,
  endSession,
  holdToken,
  openSession,
  setRenewing,
  takeStored,
} from './session.ts';

/**
 * Changes the token of the session for a new one; the old one is dead from then on. Tabs do so one after another: who
 * comes second finds the session with its new token.
 */
export async function renew(): Promise<void> {
  const token = currentSession()?.token;
  if (token === undefined) return;
  await holdToken(() => change(token));
}

async function change(token: string): Promise<void> {
  takeStored();
  const before = currentSession();
  if (before?.token !== token) return;
  setRenewing(token);
  try {
    const grant = await value(client.PUT('/wps/session/renew'));
    setRenewing(undefined);
    takeStored();
    if (currentSession()?.token !== token) return;
    const password = sessionPassword();
    openSession(grant, before.merchantCode);
    storeSessionPassword(password ?? '');
  } catch (thrown) {
    setRenewing(undefined);
    // Not waited for: it needs the lock that is held here.
    if (errorOfThrown(thrown).endsSession) void endSession(token);
  }
}
