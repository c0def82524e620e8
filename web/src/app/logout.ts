import { msg } from '@lingui/core/macro';

import { logOut } from '../api/member.ts';
import { clearSession } from '../api/session.ts';
import { homePath, navigate } from '../lib/router.tsx';
import { localStore } from '../lib/storage.ts';
import { toast } from '../ui/toastStore.ts';

let under = false;

/**
 * Logs out. The session is forgotten here even when the server cannot be reached: whoever wants to leave
 * this device leaves it, and the token runs out by itself.
 */
export async function leave(): Promise<void> {
  if (under) return;
  under = true;
  const loading = toast.loading({ text: msg`Logging out`, blocking: true });
  try {
    await logOut();
  } catch {
    // Nothing the member could do about it.
  } finally {
    under = false;
    clearSession();
    localStore.set('autoLogin', '0');
    toast.hide(loading);
    navigate(homePath);
  }
}
