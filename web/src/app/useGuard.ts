import { msg } from '@lingui/core/macro';
import { useEffect } from 'react';

import { loginPath } from '../api/require-login.ts';
import { acknowledgeEnd, currentSession, useSession, useSessionStore } from '../api/session.ts';
import { askRegister } from '../lib/overlays.ts';
import { homePath, navigate, setNavigationGuard } from '../lib/router.tsx';
import { toast } from '../ui/toastStore.ts';
import { accessTo } from './access.ts';
import { findRoute, type Route } from './routes.ts';

const refusals = {
  actualAccount: msg`Please login an actual account to use this function`,
  freeReject: msg({ id: 'free_reject', message: 'Guests cannot use this function' }),
};

const currentUrl = () => location.pathname + location.search;

/** Shows a guest why they may not open a screen. A question appears over the screen at path `on`. */
function refuse({ refusal }: Route, on: string): void {
  if (refusal === 'register') askRegister(on);
  else toast.refuse(refusals[refusal]);
}

/** Stops guests before they leave the current screen or game for one that they may not open. */
export function guardNavigation(): void {
  setNavigationGuard((to) => {
    const route = findRoute(new URL(to, location.href).pathname);
    if (accessTo(route, currentSession()) !== 'refused') return true;
    refuse(route, location.pathname);
    return false;
  });
}

/** Reports whether the route may be shown. It redirects members who may not see it. */
export function useGuard(route: Route): boolean {
  const session = useSession();
  const ended = useSessionStore((state) => state.ended);
  const access = accessTo(route, session);

  useEffect(() => {
    if (!ended) return;
    acknowledgeEnd();
    toast.error(msg`Logged out, please log in again`);
  }, [ended]);

  useEffect(() => {
    if (access === 'login') {
      navigate(loginPath(currentUrl()), { replace: true });
    } else if (access === 'refused') {
      // A URL that was opened from outside has no screen to stay on.
      navigate(homePath, { replace: true });
      refuse(route, homePath);
    }
  }, [access, route]);

  return access === 'open';
}
