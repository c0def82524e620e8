import { useLingui } from '@lingui/react';

import { useSession } from '../api/session.ts';
import type { Route } from './routes.ts';

/** A screen's title in the member's language. */
export function useRouteTitle(route: Route): string {
  const { i18n } = useLingui();
  const firstTime = useSession()?.firstTimeLogin === true;
  return i18n._((firstTime && route.firstTimeTitle) || route.title);
}
