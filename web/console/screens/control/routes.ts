import type { ScreenRoute } from '../routes.ts';
import { ApprovalScreen, ApprovalsScreen } from './ApprovalsScreen.tsx';
import { AuditRowScreen, AuditScreen } from './AuditScreen.tsx';
import { HealthScreen } from './HealthScreen.tsx';
import { OperatorScreen } from './OperatorScreen.tsx';
import { OperatorsScreen } from './OperatorsScreen.tsx';
import { RolesScreen } from './RolesScreen.tsx';
import { SettingScreen, SettingsScreen } from './SettingsScreen.tsx';
import { TasksScreen } from './TasksScreen.tsx';

export const controlRoutes: readonly ScreenRoute[] = [
  { path: '/tasks', screen: TasksScreen },
  { path: '/approvals', screen: ApprovalsScreen },
  { path: '/approvals/:id', screen: ApprovalScreen },
  { path: '/audit', screen: AuditScreen },
  { path: '/audit/:id', screen: AuditRowScreen },
  { path: '/operators', screen: OperatorsScreen },
  { path: '/operators/roles', screen: RolesScreen },
  { path: '/operators/:id', screen: OperatorScreen },
  { path: '/settings', screen: SettingsScreen },
  { path: '/settings/:name', screen: SettingScreen },
  { path: '/health', screen: HealthScreen },
];
