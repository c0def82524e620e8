import type { ComponentType } from 'react';

import { cashierRoutes } from './cashier/routes.ts';
import { controlRoutes } from './control/routes.ts';
import { lotteryRoutes } from './lottery/routes.ts';
import { offerRoutes } from './offer/routes.ts';
import { playersRoutes } from './players/routes.ts';
import { chatRoutes } from './talk/ChatRoutes.ts';
import { feedbackRoutes } from './talk/FeedbackScreens.tsx';
import { messageRoutes } from './talk/MessageScreens.tsx';
import { streamRoutes } from './talk/StreamScreens.tsx';

export type ScreenRoute = {
  /** A path pattern below /console, such as `/members/:id`. */
  path: string;
  screen: ComponentType;
};

/** The screens of all areas, except the overview. */
export const screenRoutes: readonly ScreenRoute[] = [
  ...cashierRoutes,
  ...controlRoutes,
  ...playersRoutes,
  ...offerRoutes,
  ...lotteryRoutes,
  ...messageRoutes,
  ...feedbackRoutes,
  ...chatRoutes,
  ...streamRoutes,
];
