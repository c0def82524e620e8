import { msg } from '@lingui/core/macro';

import { endOnServer } from '../api/ending.ts';
import { clearSession, currentSession } from '../api/session.ts';
import { setAutoLogin } from '../lib/auto-login.ts';
import { homePath, navigate } from '../lib/router.tsx';
import { toast } from '../ui/toastStore.ts';

/**
 * Logs out. The session is forgotten here at once, whatever the server says or whether it can be reached:
 * whoever wants to leave this device leaves it. It also keeps the server's own word that the session has
 * ended from looking like an expiry.
 */
export async function leave(): Promise<void> {
  const token = currentSession()?.token;
  if (token === undefined) return;
  const waiting = toast.loading({ text: msg`Logging out`, blocking: true });
  // Home first: the screen that is left may be one that asks for a session.
  navigate(homePath);
  // Stream and calls end with it, before the server has a dead token to refuse.
  clearSession();
  setAutoLogin(false);
  // Nothing the member could do about a failure; it is tried again by itself.
  await endOnServer(token);
  toast.hide(waiting);
  toast.success(msg`Logged out`);
}
