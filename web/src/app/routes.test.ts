import { expect, test } from 'vitest';

import { findRoute, homeRoute, routes } from './routes.ts';

const paths = routes.flatMap((route) => route.paths);
const title = (path: string) => findRoute(path).title.message;

/** The routes of the specification and the rulings, written independently of the table. */
const specified = [
  '/m/login /m/register /m/register.html /m/forget /m/changePsw /m/member/home /m/voucherCenter',
  '/m/withdraw /m/gameRecord /m/rewardCenter /m/member/manualRebate /m/activity /m/notice /m/message',
  '/m/messages /m/webEmail /m/help /m/helpDetail /m/gameList /m/game /m/lottery /m/startLottery',
  '/m/slotsCenter /m/gameCenter /m/trail /m/app /m/inviteFriends /m/member/agent/getSalaryContract',
  '/m/member/agent/getDevidendContract /m/member/agent/getHourContract /m/launchGame',
  '/m/jackpot /m/winnerBoard /m/banner/17 /m/lotteryHistory /m/service /m/userAgreement',
  '/m/policy/privacy /m/ipBlock /m/maintenance /m/liveStream /m/chat /m/member/profile',
  '/m/member/security /m/member/bankCards /m/member/kyc /m/member/vip /m/member/checkIn',
  '/m/member/transfer /m/member/transactions /m/member/feedback /m/member/limits /m/member/agent',
  '/m/member/notifications /m/fairness /m/credits',
].flatMap((line) => line.split(' '));

test.each(specified)('%s is in the table', (path) => {
  expect(findRoute(path)).not.toBe(homeRoute);
});

test.each(['/', '/m', '/m/', '/m/index', '/m/index.html', '/m/home', '/m/home/'])(
  '%s is home',
  (path) => expect(findRoute(path)).toBe(homeRoute),
);

test.each(['/m/nowhere', '/m/banner', '/m/banner/', '/m/banner/1/2', '/m/LOGIN', '/other'])(
  'RT-28 the unknown path %s shows home',
  (path) => expect(findRoute(path)).toBe(homeRoute),
);

test('no path occurs twice', () => {
  expect(new Set(paths).size).toBe(paths.length);
});

/** Returns the last segment of the first path of every route that matches. */
const where = (matches: (route: (typeof routes)[number]) => boolean) =>
  new Set(routes.filter(matches).map((route) => route.paths[0].split('/').at(-1)));

test('LY-01 exactly the specified screens have no header', () => {
  expect(where((route) => route.header === 'none')).toEqual(
    new Set(['app', 'forget', 'gameList', 'login', 'lottery', 'message', 'register']),
  );
});

test('LY-02 exactly the specified screens have no bottom menu', () => {
  expect(where((route) => !route.bottomMenu)).toEqual(
    new Set([
      'app',
      'changePsw',
      'forget',
      'gameList',
      'help',
      'helpDetail',
      'login',
      'lottery',
      'notice',
      'register',
      'slotsCenter',
    ]),
  );
});

test('LY-04 in part: back leads home from exactly the specified screens', () => {
  expect(where((route) => route.back === 'home')).toEqual(
    new Set(['activity', 'forget', 'login', 'register', 'trail']),
  );
});

test('only home has the header with the logo', () => {
  expect(where((route) => route.header === 'home')).toEqual(new Set(['home']));
});

test.each([
  ['/m/activity', 'Promotion'],
  ['/m/home', 'Home'],
  ['/m/login', 'Login'],
  ['/m/register', 'Register'],
  ['/m/trail', 'Free trial'],
  ['/m/notice', 'Announcements'],
  ['/m/game', 'Game center'],
  ['/m/slotsCenter', 'RNG'],
  ['/m/message', 'Messages'],
  ['/m/help', 'Help center'],
])('LY-03 in part: %s is titled %s', (path, expected) => expect(title(path)).toBe(expected));

test('LY-03 in part: the password screen has another title for the first password', () => {
  const route = findRoute('/m/changePsw');
  expect(route.firstTimeTitle?.message).toBe('First password');
  expect(route.title.message).toBe('Change password');
});

test('member screens need a session, and money screens a real account', () => {
  const guard = (path: string) => findRoute(path).guard;
  expect(paths.filter((path) => path.startsWith('/m/member/')).map(guard)).not.toContain('public');
  const real = '/m/voucherCenter /m/withdraw /m/rewardCenter /m/webEmail /m/changePsw';
  for (const path of real.split(' ')) {
    expect(guard(path)).toBe('real');
  }
  for (const path of ['/m/home', '/m/login', '/m/gameList', '/m/notice', '/m/activity']) {
    expect(guard(path)).toBe('public');
  }
});
