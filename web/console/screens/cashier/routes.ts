import type { ScreenRoute } from '../routes.ts';
import { DepositScreen, DepositsScreen } from './DepositsScreen.tsx';
import { WithdrawalScreen } from './WithdrawalScreen.tsx';
import { WithdrawalsScreen } from './WithdrawalsScreen.tsx';

export const cashierRoutes: readonly ScreenRoute[] = [
  { path: '/withdrawals', screen: WithdrawalsScreen },
  { path: '/withdrawals/:id', screen: WithdrawalScreen },
  { path: '/deposits', screen: DepositsScreen },
  { path: '/deposits/:id', screen: DepositScreen },
];
