import type { ScreenRoute } from '../routes.ts';

export const playersRoutes: readonly ScreenRoute[] = [];
