import type { ScreenRoute } from '../routes.ts';
import { DebtsScreen } from './DebtsScreen.tsx';
import { DrawScreen } from './DrawScreen.tsx';
import { ExposureScreen } from './ExposureScreen.tsx';
import { GameScreen } from './GameScreen.tsx';
import { GamesScreen } from './GamesScreen.tsx';
import { ScheduleScreen } from './ScheduleScreen.tsx';

export const lotteryRoutes: readonly ScreenRoute[] = [
  { path: '/lottery', screen: ScheduleScreen },
  { path: '/lottery/exposure', screen: ExposureScreen },
  { path: '/lottery/debts', screen: DebtsScreen },
  { path: '/lottery/games', screen: GamesScreen },
  { path: '/lottery/games/:id', screen: GameScreen },
  { path: '/lottery/:id', screen: DrawScreen },
];
