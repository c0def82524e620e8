import { isReal, type Session } from '../api/session.ts';
import type { Route } from './routes.ts';

/** Whether a screen may be seen: yes, after a login, or not with this account. */
export type Access = 'open' | 'login' | 'refused';

export function accessTo(route: Route, session: Session | null): Access {
  if (route.guard === 'public') return 'open';
  if (!session) return 'login';
  return route.guard === 'session' || isReal(session) ? 'open' : 'refused';
}
