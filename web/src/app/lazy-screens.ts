import type { ComponentType } from 'react';

export type ScreenModule = { default: ComponentType };

/**
 * Where each screen but home has its code. The names of all those files would be a good part of home's first load,
 * so they stand in a file of their own, which comes with the first step away from home.
 */
export const lazyScreens = {
  notOpen: () => import('./NotOpenScreen.tsx'),
  login: () => import('../features/login/LoginScreen.tsx'),
  register: () => import('../features/register/RegisterScreen.tsx'),
  forget: () => import('../features/forget/ForgetScreen.tsx'),
  changePassword: () => import('../features/password/ChangePasswordScreen.tsx'),
  trial: () => import('../features/trial/TrialScreen.tsx'),
  lobby: () => import('../features/games/LobbyScreen.tsx'),
  centre: () => import('../features/games/CentreScreen.tsx'),
  list: () => import('../features/games/ListScreen.tsx'),
  slots: () => import('../features/games/SlotsScreen.tsx'),
  play: () => import('../features/play/PlayScreen.tsx'),
  record: () => import('../features/record/RecordScreen.tsx'),
  limits: () => import('../features/limits/LimitsScreen.tsx'),
  fairness: () => import('../features/fairness/FairnessScreen.tsx'),
  jackpot: () => import('../features/jackpot/JackpotScreen.tsx'),
  winners: () => import('../features/winners/WinnerBoardScreen.tsx'),
  notice: () => import('../features/announcement/NoticeScreen.tsx'),
  banner: () => import('../features/announcement/BannerScreen.tsx'),
  service: () => import('../features/service/ServiceScreen.tsx'),
  app: () => import('../features/install/AppScreen.tsx'),
  agreement: () => import('../features/pages/AgreementScreen.tsx'),
  policy: () => import('../features/pages/PolicyScreen.tsx'),
  open: () => import('../features/closed/OpenScreen.tsx'),
  member: () => import('../features/member/MemberScreen.tsx'),
  profile: () => import('../features/profile/ProfileScreen.tsx'),
  security: () => import('../features/security/SecurityScreen.tsx'),
  credits: () => import('../features/credits/CreditsScreen.tsx'),
  gallery: () => import('../features/gallery/GalleryScreen.tsx'),
  outbox: () => import('../features/outbox/OutboxScreen.tsx'),
} satisfies Record<string, () => Promise<ScreenModule>>;

export type LazyScreenName = keyof typeof lazyScreens;
