import type { ScreenRoute } from '../routes.ts';
import { DepositScreen, DepositsScreen } from './DepositsScreen.tsx';
import { GatewayScreen } from './GatewayScreen.tsx';
import { GatewaysScreen, NewGatewayScreen, ReconciliationScreen } from './GatewaysScreen.tsx';
import { MethodScreen, NewMethodScreen } from './MethodScreen.tsx';
import { MethodsScreen } from './MethodsScreen.tsx';
import { WithdrawalScreen } from './WithdrawalScreen.tsx';
import { WithdrawalsScreen } from './WithdrawalsScreen.tsx';

export const cashierRoutes: readonly ScreenRoute[] = [
  { path: '/withdrawals', screen: WithdrawalsScreen },
  { path: '/withdrawals/:id', screen: WithdrawalScreen },
  { path: '/deposits', screen: DepositsScreen },
  { path: '/deposits/:id', screen: DepositScreen },
  { path: '/methods', screen: MethodsScreen },
  { path: '/methods/new', screen: NewMethodScreen },
  { path: '/methods/:id', screen: MethodScreen },
  { path: '/gateways', screen: GatewaysScreen },
  { path: '/gateways/new', screen: NewGatewayScreen },
  { path: '/gateways/reconciliation', screen: ReconciliationScreen },
  { path: '/gateways/:id', screen: GatewayScreen },
];
