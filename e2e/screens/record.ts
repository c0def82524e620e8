import { expect, type Page } from '@playwright/test';

import { alterAnswer } from '../support/network.ts';
import type { Screen } from './screen.ts';

const day = 24 * 60 * 60_000;

export const recordScreens: Screen[] = [
  {
    name: 'betting record',
    soakOnly: true,
    path: '/m/gameRecord',
    member: true,
    fullPage: true,
    prepare: mockWeek,
    expectReady: async (page) => expect(page.locator('main li')).toHaveCount(4),
  },
  {
    name: 'an empty betting record',
    soakOnly: true,
    path: '/m/gameRecord?category=PVP',
    member: true,
    expectReady: async (page) => expect(page.locator('main a[href="/m/gameRecord"]')).toBeVisible(),
  },
  {
    name: 'verifier',
    soakOnly: true,
    path: '/m/fairness?engine=slot&nonce=1&clientSeed=fairground&seed=b8fbd6d82e0a17025808a6ab3084fd076f1a9aa380c599078daec5aacba1c6a3&commitment=cc4ebaffb1ccb1936b6a206a4b7348ec309abdbb5c0ffeb990eb2d23a51c42f6',
    fullPage: true,
    expectReady: async (page) => expect(page.locator('main svg').first()).toBeVisible(),
  },
  {
    name: 'limits',
    soakOnly: true,
    path: '/m/member/limits',
    member: true,
    fullPage: true,
    prepare: (page) => mockLimits(page, null),
    expectReady: async (page) => expect(page.locator('main article')).toHaveCount(6),
  },
  {
    name: 'limits on a break',
    soakOnly: true,
    path: '/m/member/limits',
    member: true,
    fullPage: true,
    prepare: (page) =>
      mockLimits(page, {
        kind: 'timeOut',
        period: '1w',
        since: Date.now(),
        until: Date.now() + 7 * day,
        longer: ['1m', '6w', '6M', '1y', '3y', '5y', 'life'],
      }),
    expectReady: async (page) => expect(page.locator('main article')).toHaveCount(6),
  },
  {
    name: 'question before a break',
    soakOnly: true,
    path: '/m/member/limits?break=24h',
    member: true,
    overlay: true,
    expectReady: async (page) => expect(page.getByRole('alertdialog')).toBeVisible(),
  },
];

/** Mocks a week of wins and losses, with a won, a lost, a running and a refunded round at its end. */
async function mockWeek(page: Page): Promise<void> {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const round = (number: number, gameName: string, status: string, stake: number, win: number) => ({
    roundId: `r${number}`,
    vendor: 'JL',
    vendorName: 'Jade Lantern',
    gameId: 'rng-001',
    gameName,
    gameCategory: 'RNG',
    nodeId: '1001',
    stake,
    win,
    jackpots: [],
    net: status === 'won' || status === 'lost' ? win - stake : 0,
    status,
    startedAt: midnight + (5 - number) * 60_000,
    settledAt: midnight + (5 - number) * 60_000,
    provable: true,
  });
  const lost = [1_200_000, 1_400_000, 1_700_000, 2_300_000, 1_400_000, 2_200_000, 1_800_000];
  const won = [1_900_000, 400_000, 2_600_000, 1_100_000, 900_000, 3_100_000, 1_200_000];
  await alterAnswer(page, '**/wps/report/accountGameBetHistory*', (value) => ({
    ...value,
    list: [
      round(1, 'Rồng Vàng', 'won', 20_000, 204_000),
      round(2, 'Baccarat Hoàng Kim Bàn Số Bảy Thượng Hạng', 'lost', 12_500_000, 0),
      round(3, 'Sic Bo Sảnh Ngọc', 'open', 100_000, 0),
      round(4, 'Cá Mập Nổi Giận', 'refunded', 309_000, 0),
    ],
    next: '',
    hours: won.map((amount, index) => ({
      at: midnight - (6 - index) * day,
      won: amount,
      lost: lost[index],
    })),
    totals: {
      rounds: 126,
      stake: 24_860_000,
      win: 24_005_000,
      jackpot: 1_184_250_000,
      net: -855_000,
      open: 100_000,
      promo: 50_000,
    },
  }));
}

/** Mocks a limit with a pending increase, a limit that is nearly used up, and a limit without an amount. */
async function mockLimits(page: Page, breakPeriod: object | null): Promise<void> {
  const from = Date.now() + day;
  const pending = { amount: 2_000_000, from, confirmUntil: from + day };
  const limitsByKind: Record<string, object> = {
    loss: { amount: 1_000_000, used: 625_000, pending },
    stake: { amount: 5_000_000, used: 4_120_000, pending: null },
    deposit: { amount: null, used: 500_000, pending: null },
  };
  await alterAnswer(page, '**/wps/member/limits', (value) => ({
    ...value,
    break: breakPeriod,
    limits: (value['limits'] as { kind: string }[]).map((limit) =>
      Object.assign(limit, limitsByKind[limit.kind]),
    ),
  }));
}
