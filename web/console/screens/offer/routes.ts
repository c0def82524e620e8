import type { ScreenRoute } from '../routes.ts';
import { contentRoutes } from './content/ContentScreens.tsx';
import { GamesScreen } from './games/GamesScreen.tsx';
import { FairnessScreen, SeriesScreen } from './house/FairnessScreens.tsx';
import {
  JackpotScreen,
  JackpotsScreen,
  RoundScreen,
  RoundsScreen,
  TableScreen,
  TablesScreen,
} from './house/HouseScreens.tsx';
import { loyaltyRoutes } from './promotions/LoyaltyScreens.tsx';
import { promotionRoutes } from './promotions/PromotionScreens.tsx';
import { NewVendorScreen } from './vendors/VendorForm.tsx';
import { VendorScreen, VendorsScreen } from './vendors/VendorScreens.tsx';

export const offerRoutes: readonly ScreenRoute[] = [
  ...contentRoutes,
  ...promotionRoutes,
  ...loyaltyRoutes,
  { path: '/games', screen: GamesScreen },
  { path: '/vendors', screen: VendorsScreen },
  { path: '/vendors/new', screen: NewVendorScreen },
  { path: '/vendors/:id', screen: VendorScreen },
  { path: '/tables', screen: TablesScreen },
  { path: '/tables/:id', screen: TableScreen },
  { path: '/jackpots', screen: JackpotsScreen },
  { path: '/jackpots/:id', screen: JackpotScreen },
  { path: '/fairness', screen: FairnessScreen },
  { path: '/fairness/:id', screen: SeriesScreen },
  { path: '/stuck', screen: RoundsScreen },
  { path: '/stuck/:id', screen: RoundScreen },
];
