import type { ScreenRoute } from '../routes.ts';

export const controlRoutes: readonly ScreenRoute[] = [];
