import type { ScreenRoute } from '../routes.ts';
import { KycListScreen, KycScreen } from './KycScreen.tsx';
import { LedgerScreen } from './LedgerScreen.tsx';
import { MemberScreen } from './MemberScreen.tsx';
import { MembersScreen } from './MembersScreen.tsx';
import { ProtectionScreen } from './ProtectionScreen.tsx';
import { RoundScreen, RoundsScreen } from './RoundsScreen.tsx';
import { TransferScreen, TransfersScreen } from './TransfersScreen.tsx';

export const playersRoutes: readonly ScreenRoute[] = [
  { path: '/members', screen: MembersScreen },
  { path: '/members/:id', screen: MemberScreen },
  { path: '/protection', screen: ProtectionScreen },
  { path: '/transfers', screen: TransfersScreen },
  { path: '/transfers/:id', screen: TransferScreen },
  { path: '/ledger', screen: LedgerScreen },
  { path: '/rounds', screen: RoundsScreen },
  { path: '/rounds/:id', screen: RoundScreen },
  { path: '/kyc', screen: KycListScreen },
  { path: '/kyc/:id', screen: KycScreen },
];
