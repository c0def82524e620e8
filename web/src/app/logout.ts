import { msg } from '@lingui/core/macro';

import { logOutOnServer } from '../api/pending-logouts.ts';
import { clearSession, currentSession } from '../api/session.ts';
import { setAutoLogin } from '../lib/auto-login.ts';
import { homePath, navigate } from '../lib/router.tsx';
import { toast } from '../ui/toastStore.ts';

/**
 * Logs out. It removes the session from this device at once, even if the server cannot be reached. When the server then reports that
 * the session ended, the member sees no message about it.
 */
export async function logOut(): Promise<void> {
  const token = currentSession()?.token;
  if (token === undefined) return;
  const waiting = toast.loading({ text: msg`Logging out`, blocking: true });
  // Go home first, because the current screen may need a session.
  navigate(homePath);
  // This also closes the stream, before the server ends the token.
  clearSession();
  setAutoLogin(false);
  await logOutOnServer(token);
  toast.hide(waiting);
  toast.success(msg`Logged out`);
}
