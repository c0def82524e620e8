import { navigate } from '../lib/router.tsx';
import { currentSession } from './session.ts';

/** The login screen, and the way back from it. */
export function loginPath(returnTo: string): string {
  return `/m/login?return=${encodeURIComponent(returnTo)}`;
}

/** Goes to a path that needs a session, by way of the login where there is none. */
export function goWithSession(path: string): void {
  navigate(currentSession() ? path : loginPath(path));
}
