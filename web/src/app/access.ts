import { isRealAccount, type Session } from '../api/session.ts';
import type { Route } from './routes.ts';

/** Whether a screen is open to a session, needs a login, or refuses the account. */
export type Access = 'open' | 'login' | 'refused';

export function accessTo(route: Route, session: Session | null): Access {
  if (route.guard === 'public') return 'open';
  if (!session) return route.guard === 'notGuest' ? 'open' : 'login';
  return route.guard === 'session' || isRealAccount(session) ? 'open' : 'refused';
}
