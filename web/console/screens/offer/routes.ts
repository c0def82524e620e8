import type { ScreenRoute } from '../routes.ts';

export const offerRoutes: readonly ScreenRoute[] = [];
