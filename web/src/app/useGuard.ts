import { msg } from '@lingui/core/macro';
import { useEffect } from 'react';

import { loginPath } from '../api/require-login.ts';
import { acknowledgeEnd, useSession, useSessionStore } from '../api/session.ts';
import { askRegister } from '../lib/overlays.ts';
import { homePath, navigate } from '../lib/router.tsx';
import { toast } from '../ui/toastStore.ts';
import { accessTo } from './access.ts';
import type { Route } from './routes.ts';

const refusals = {
  actualAccount: msg`Please login an actual account to use this function`,
  freeReject: msg({ id: 'free_reject', message: 'Guests cannot use this function' }),
};

const currentAddress = () => location.pathname + location.search;

/** Reports whether the route may be shown. It redirects members who may not see it. */
export function useGuard(route: Route): boolean {
  const session = useSession();
  const ended = useSessionStore((state) => state.ended);
  const access = accessTo(route, session);
  const { refusal } = route;

  useEffect(() => {
    if (!ended) return;
    acknowledgeEnd();
    toast.error(msg`Logged out, please log in again`);
  }, [ended]);

  useEffect(() => {
    if (access === 'login') {
      navigate(loginPath(currentAddress()), { replace: true });
    } else if (access === 'refused') {
      navigate(homePath, { replace: true });
      if (refusal === 'register') askRegister(homePath);
      else toast.refuse(refusals[refusal]);
    }
  }, [access, refusal]);

  return access === 'open';
}
