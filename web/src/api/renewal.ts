import { client, value } from './client.ts';
import { errorOfThrown } from './error.ts';
import { heldPassword, holdPassword } from './remembered.ts';
import { currentSession, endSession, openSession, setRenewing } from './session.ts';

/**
 * Changes the token of the session for a new one; the old one is dead from then on. Tabs do so one after another: who
 * comes second finds the session with its new token.
 */
export async function renew(): Promise<void> {
  const token = currentSession()?.token;
  if (token === undefined) return;
  // Not every browser has them; without them two tabs may ask at once, and one is told to log in again.
  if ('locks' in navigator) await navigator.locks.request('renew', () => change(token));
  else await change(token);
}

async function change(token: string): Promise<void> {
  const before = currentSession();
  if (before?.token !== token) return;
  setRenewing(token);
  try {
    const grant = await value(client.PUT('/wps/session/renew'));
    setRenewing(undefined);
    if (currentSession()?.token !== token) return;
    const password = heldPassword();
    openSession(grant, before.merchantCode);
    holdPassword(password ?? '');
  } catch (thrown) {
    setRenewing(undefined);
    if (errorOfThrown(thrown).endsSession) endSession(token);
  }
}
