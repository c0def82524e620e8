import { useLingui } from '@lingui/react';

import { useSession } from '../api/session.ts';
import type { Route } from './routes.ts';

export function useRouteTitle(route: Route): string {
  const { i18n } = useLingui();
  const firstTime = useSession()?.firstTimeLogin === true;
  return i18n._((firstTime && route.firstTimeTitle) || route.title);
}
