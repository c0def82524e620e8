import { navigate } from '../lib/router.tsx';
import { currentSession } from './session.ts';

/** Returns the URL of the login screen, which leads to `returnTo` afterwards. */
export function loginPath(returnTo: string): string {
  return `/m/login?return=${encodeURIComponent(returnTo)}`;
}

/** Opens a path that needs a session, after the login if there is none. */
export function goWithSession(path: string): void {
  navigate(currentSession() ? path : loginPath(path));
}
