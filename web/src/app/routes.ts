import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

import { cashBackFlag, referralPromotion, type Flag, type Promotion } from '../api/switches.gen.ts';
import { homePaths } from './home-paths.ts';
import type { LazyScreenName } from './lazy-screens.ts';

/** Who may see a screen: anyone, anyone with a session, only real accounts, or visitors and real accounts. */
type Guard = 'public' | 'session' | 'real' | 'notGuest';

/** The header: home's, the shared one with title and back, or none if the screen has its own. */
type Header = 'home' | 'title' | 'none';

export type Route = {
  /** The path and its aliases. `:name` matches one segment. */
  paths: readonly [string, ...string[]];
  title: MessageDescriptor;
  /** The title until the member has chosen a first password. */
  firstTimeTitle?: MessageDescriptor;
  /** The screen in lazy-screens.ts. A route without one shows "not open yet", except home. */
  screen?: LazyScreenName;
  guard: Guard;
  header: Header;
  bottomMenu: boolean;
  /** Where the back button leads: home, or one step back. */
  back: 'home' | 'step';
  /** The message for a guest who may not open the screen. */
  refusal: 'actualAccount' | 'freeReject' | 'register';
  /** The screen has its own language picker. */
  ownLanguages?: true;
  /** The switch that enables the route. While it is off, the URL shows home. */
  needs?: { flag: Flag } | { promotion: Promotion };
  /** Only on servers with demo content. */
  demoOnly: boolean;
};

type RouteOptions = Partial<Omit<Route, 'paths' | 'title'>>;

function route(
  paths: string | Route['paths'],
  title: MessageDescriptor,
  options?: RouteOptions,
): Route {
  return {
    paths: typeof paths === 'string' ? [paths] : paths,
    title,
    guard: 'public',
    header: 'title',
    bottomMenu: true,
    back: 'step',
    refusal: 'actualAccount',
    demoOnly: false,
    ...options,
  };
}

/** Screens without the app's header and without the bottom menu. */
const bare = { header: 'none', bottomMenu: false } as const;
const ownLanguages = true;

export const homeRoute: Route = route(homePaths, msg`Home`, {
  header: 'home',
  ownLanguages,
});

/** Every screen of the app and its layout. */
export const routes: readonly Route[] = [
  homeRoute,

  // Entry
  route('/m/login', msg`Login`, {
    ...bare,
    ownLanguages,
    back: 'home',
    screen: 'login',
  }),
  route(['/m/register', '/m/register.html'], msg`Register`, {
    ...bare,
    ownLanguages,
    back: 'home',
    screen: 'register',
  }),
  route('/m/forget', msg`Forgot password`, {
    ...bare,
    ownLanguages,
    back: 'home',
    screen: 'forget',
  }),
  route('/m/changePsw', msg`Change password`, {
    firstTimeTitle: msg`First password`,
    bottomMenu: false,
    guard: 'real',
    screen: 'changePassword',
  }),
  route('/m/trail', msg`Free trial`, {
    back: 'home',
    screen: 'trial',
  }),

  // Games
  route('/m/game', msg`Game center`, {
    screen: 'lobby',
  }),
  route('/m/gameCenter', msg`Game center`, {
    screen: 'centre',
  }),
  route('/m/gameList', msg`Games`, {
    ...bare,
    screen: 'list',
  }),
  route('/m/slotsCenter', msg`RNG`, {
    bottomMenu: false,
    screen: 'slots',
  }),
  route('/m/lottery', msg`Lottery`, { ...bare, screen: 'lottery' }),
  route('/m/startLottery', msg`Lottery`, { screen: 'startLottery' }),
  route('/m/lotteryHistory', msg`Lottery results`, { screen: 'lotteryHistory' }),
  route('/m/launchGame', msg`Play`, { guard: 'session', screen: 'play' }),
  route('/m/jackpot', msg`Jackpot`, { screen: 'jackpot' }),
  route('/m/winnerBoard', msg`Winner board`, { screen: 'winners' }),
  route('/m/liveStream', msg`Live streams`, { screen: 'stream' }),
  route('/m/fairness', msg`Check a result`, { screen: 'fairness' }),

  // Money
  route('/m/voucherCenter', msg`Deposit`, { guard: 'real', screen: 'deposit' }),
  route('/m/withdraw', msg`Withdraw`, { guard: 'real', screen: 'withdraw' }),
  route('/m/gameRecord', msg`Betting record`, { guard: 'session', screen: 'record' }),
  route('/m/rewardCenter', msg`Reward centre`, { guard: 'real', screen: 'rewards' }),
  route('/m/member/manualRebate', msg`Cash back`, {
    guard: 'real',
    needs: { flag: cashBackFlag },
    screen: 'rebate',
  }),
  route('/m/activity', msg`Promotion`, { back: 'home', screen: 'promotions' }),
  route('/m/inviteFriends', msg`Invite friends`, {
    needs: { promotion: referralPromotion },
    screen: 'invite',
  }),

  // Messages
  route('/m/notice', msg`Announcements`, { bottomMenu: false, screen: 'notice' }),
  route(['/m/message', '/m/messages'], msg`Messages`, { header: 'none', screen: 'message' }),
  route('/m/webEmail', msg`Inbox`, { guard: 'real', refusal: 'freeReject', screen: 'inbox' }),
  route('/m/chat', msg`Live chat`, { guard: 'notGuest', refusal: 'freeReject', screen: 'chat' }),
  route('/m/service', msg`Customer service`, { screen: 'service' }),
  route('/m/help', msg`Help center`, { bottomMenu: false, screen: 'help' }),
  route('/m/helpDetail', msg`Help center`, { bottomMenu: false, screen: 'helpDetail' }),

  // Member
  route('/m/member/home', msg`Member centre`, {
    guard: 'real',
    refusal: 'register',
    ownLanguages,
    screen: 'member',
  }),
  route('/m/member/profile', msg`Profile`, {
    guard: 'real',
    screen: 'profile',
  }),
  route('/m/member/security', msg`Security`, {
    guard: 'real',
    screen: 'security',
  }),
  route('/m/member/bankCards', msg`Bank cards`, { guard: 'real', screen: 'bankCards' }),
  route('/m/member/kyc', msg`Identity check`, { guard: 'real', screen: 'kyc' }),
  route('/m/member/vip', msg`VIP`, { guard: 'session', screen: 'vip' }),
  route('/m/member/checkIn', msg`Check-in`, { guard: 'real', screen: 'checkIn' }),
  route('/m/member/transfer', msg`Wallet transfer`, { guard: 'real', screen: 'transfer' }),
  route('/m/member/transactions', msg`Transactions`, {
    guard: 'session',
    screen: 'transactions',
  }),
  route('/m/member/feedback', msg`Feedback`, { guard: 'real', screen: 'feedback' }),
  route('/m/member/limits', msg`Limits and breaks`, { guard: 'real', screen: 'limits' }),
  route('/m/member/notifications', msg`Notifications`, {
    guard: 'real',
    screen: 'notifications',
  }),
  route('/m/member/agent', msg`Agent`, { guard: 'real' }),
  route('/m/member/agent/getSalaryContract', msg`Daily salary contract`, { guard: 'real' }),
  route('/m/member/agent/getDevidendContract', msg`Dividend contract`, { guard: 'real' }),
  route('/m/member/agent/getHourContract', msg`Hourly salary contract`, { guard: 'real' }),

  // About
  route('/m/app', msg`Download app`, { ...bare, ownLanguages, screen: 'app' }),
  route('/m/banner/:id', msg`Announcement`, { screen: 'banner' }),
  route('/m/userAgreement', msg`User agreement`, { screen: 'agreement' }),
  route('/m/policy/:name', msg`Policy`, { screen: 'policy' }),
  route('/m/credits', msg`Credits`, {
    screen: 'credits',
  }),
  route('/m/ipBlock', msg`Access denied`, { screen: 'open' }),
  route('/m/maintenance', msg`Maintenance`, { screen: 'open' }),
  route(['/m/dev/ui', '/dev/ui'], msg`Components`, {
    demoOnly: true,
    screen: 'gallery',
  }),
  route(['/m/dev/outbox', '/dev/outbox'], msg`Messages`, {
    demoOnly: true,
    screen: 'outbox',
  }),
];

const exact = new Map(routes.flatMap((each) => each.paths.map((path) => [path, each])));
const patterns = routes.flatMap((each) =>
  each.paths
    .filter((path) => path.includes(':'))
    .map((path) => ({ route: each, parts: path.split('/') })),
);

/** Returns the route of a URL. Unknown URLs show home. */
export function findRoute(address: string): Route {
  const path = address.length > 1 ? address.replace(/\/+$/, '') : address;
  const found = exact.get(path);
  if (found) return found;
  const parts = path.split('/');
  const match = patterns.find(
    (pattern) =>
      pattern.parts.length === parts.length &&
      pattern.parts.every((part, i) => part === parts[i] || (part.startsWith(':') && parts[i])),
  );
  return match?.route ?? homeRoute;
}
