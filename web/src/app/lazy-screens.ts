import type { ComponentType } from 'react';

export type ScreenModule = { default: ComponentType };

export type LazyScreen = { feature?: string; load: () => Promise<ScreenModule> };

/** Every screen except home. The list is a separate chunk, because its file names would add to home's first load. */
export const lazyScreens = {
  notOpen: { load: () => import('./NotOpenScreen.tsx') },
  login: { feature: 'login', load: () => import('../features/login/LoginScreen.tsx') },
  register: { feature: 'register', load: () => import('../features/register/RegisterScreen.tsx') },
  forget: { feature: 'forget', load: () => import('../features/forget/ForgetScreen.tsx') },
  changePassword: {
    feature: 'password',
    load: () => import('../features/password/ChangePasswordScreen.tsx'),
  },
  trial: { feature: 'trial', load: () => import('../features/trial/TrialScreen.tsx') },
  lobby: { feature: 'games', load: () => import('../features/games/LobbyScreen.tsx') },
  centre: { feature: 'games', load: () => import('../features/games/CentreScreen.tsx') },
  list: { feature: 'games', load: () => import('../features/games/ListScreen.tsx') },
  slots: { feature: 'games', load: () => import('../features/games/SlotsScreen.tsx') },
  lottery: { feature: 'lottery', load: () => import('../features/lottery/LotteryScreen.tsx') },
  startLottery: {
    feature: 'lottery',
    load: () => import('../features/lottery/StartLotteryScreen.tsx'),
  },
  lotteryHistory: {
    feature: 'lottery',
    load: () => import('../features/lottery/LotteryHistoryScreen.tsx'),
  },
  play: { feature: 'play', load: () => import('../features/play/PlayScreen.tsx') },
  record: { feature: 'record', load: () => import('../features/record/RecordScreen.tsx') },
  kyc: { feature: 'kyc', load: () => import('../features/kyc/KycScreen.tsx') },
  limits: { feature: 'limits', load: () => import('../features/limits/LimitsScreen.tsx') },
  deposit: { feature: 'deposit', load: () => import('../features/deposit/DepositScreen.tsx') },
  withdraw: { feature: 'withdraw', load: () => import('../features/withdraw/WithdrawScreen.tsx') },
  bankCards: {
    feature: 'withdraw',
    load: () => import('../features/withdraw/BankCardsScreen.tsx'),
  },
  transactions: {
    feature: 'transactions',
    load: () => import('../features/transactions/TransactionsScreen.tsx'),
  },
  promotions: {
    feature: 'promotions',
    load: () => import('../features/promotions/PromotionsScreen.tsx'),
  },
  rewards: { feature: 'rewards', load: () => import('../features/rewards/RewardsScreen.tsx') },
  checkIn: { feature: 'checkIn', load: () => import('../features/checkIn/CheckInScreen.tsx') },
  rebate: { feature: 'rebate', load: () => import('../features/rebate/RebateScreen.tsx') },
  vip: { feature: 'vip', load: () => import('../features/vip/VipScreen.tsx') },
  invite: { feature: 'invite', load: () => import('../features/invite/InviteScreen.tsx') },
  transfer: { feature: 'transfer', load: () => import('../features/transfer/TransferScreen.tsx') },
  fairness: { feature: 'fairness', load: () => import('../features/fairness/FairnessScreen.tsx') },
  jackpot: { feature: 'jackpot', load: () => import('../features/jackpot/JackpotScreen.tsx') },
  winners: { feature: 'winners', load: () => import('../features/winners/WinnerBoardScreen.tsx') },
  notice: {
    feature: 'announcement',
    load: () => import('../features/announcement/NoticeScreen.tsx'),
  },
  banner: {
    feature: 'announcement',
    load: () => import('../features/announcement/BannerScreen.tsx'),
  },
  message: { feature: 'message', load: () => import('../features/message/MessageScreen.tsx') },
  inbox: { feature: 'inbox', load: () => import('../features/inbox/InboxScreen.tsx') },
  feedback: { feature: 'feedback', load: () => import('../features/feedback/FeedbackScreen.tsx') },
  notifications: {
    feature: 'notifications',
    load: () => import('../features/notifications/NotificationsScreen.tsx'),
  },
  stream: { feature: 'stream', load: () => import('../features/stream/StreamScreen.tsx') },
  chat: { feature: 'chat', load: () => import('../features/chat/ChatScreen.tsx') },
  service: { feature: 'service', load: () => import('../features/service/ServiceScreen.tsx') },
  help: { feature: 'help', load: () => import('../features/help/HelpScreen.tsx') },
  helpDetail: { feature: 'help', load: () => import('../features/help/HelpDetailScreen.tsx') },
  app: { feature: 'install', load: () => import('../features/install/AppScreen.tsx') },
  agreement: { feature: 'pages', load: () => import('../features/pages/AgreementScreen.tsx') },
  policy: { feature: 'pages', load: () => import('../features/pages/PolicyScreen.tsx') },
  open: { feature: 'closed', load: () => import('../features/closed/OpenScreen.tsx') },
  member: { feature: 'member', load: () => import('../features/member/MemberScreen.tsx') },
  profile: { feature: 'profile', load: () => import('../features/profile/ProfileScreen.tsx') },
  security: { feature: 'security', load: () => import('../features/security/SecurityScreen.tsx') },
  credits: { feature: 'credits', load: () => import('../features/credits/CreditsScreen.tsx') },
  gallery: { feature: 'gallery', load: () => import('../features/gallery/GalleryScreen.tsx') },
  outbox: { feature: 'outbox', load: () => import('../features/outbox/OutboxScreen.tsx') },
} satisfies Record<string, LazyScreen>;

export type LazyScreenName = keyof typeof lazyScreens;
