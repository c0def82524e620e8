import type { ScreenRoute } from '../routes.ts';
import { KycListScreen, KycScreen } from './KycScreen.tsx';

export const playersRoutes: readonly ScreenRoute[] = [
  { path: '/kyc', screen: KycListScreen },
  { path: '/kyc/:id', screen: KycScreen },
];
