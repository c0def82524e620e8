import { expect, type Page } from '@playwright/test';

import { Lottery } from '../pages/lottery.ts';
import type { Screen } from './screen.ts';

const expectArticle = async (page: Page) =>
  expect(page.locator('main article, main li').first()).toBeVisible();

/** Waits for the filter, because a new site has no rewards and no results yet. */
const expectLoaded = (filter: 'radiogroup' | 'combobox') => async (page: Page) => {
  await expect(page.locator('main').getByRole(filter)).toBeVisible();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
};

/** A lottery in its frame. */
const lotteryGame = (name: string, path: string): Screen => ({
  name,
  path,
  member: true,
  soakOnly: true,
  expectReady: async (page, language) => new Lottery(page, language).expectGame(),
});

/** Promotions, rewards and lotteries. */
export const offerScreens: Screen[] = [
  { name: 'promotions', path: '/m/activity', fullPage: true, expectReady: expectArticle },
  {
    name: 'a promotion',
    path: '/m/activity',
    fullPage: true,
    reach: async (page) => page.locator('main article a').first().tap(),
    expectReady: async (page) => {
      await expect(page).toHaveURL(/promotion=\d+/);
      await expect(page.locator('main h2').first()).toBeVisible();
    },
  },
  {
    name: 'the reward centre',
    path: '/m/rewardCenter',
    member: true,
    expectReady: expectLoaded('radiogroup'),
  },
  { name: 'lotteries', path: '/m/lottery', fullPage: true, expectReady: expectArticle },
  {
    name: 'a lottery before it starts',
    soakOnly: true,
    path: '/m/startLottery?gameId=1201',
    expectReady: async (page, language) => expect(new Lottery(page, language).play).toBeVisible(),
  },
  lotteryGame('K3', '/m/launchGame?vendor=ELOTT&gameCategory=ELOTT&gameId=1201'),
  lotteryGame(
    'the lottery of the north',
    '/m/launchGame?vendor=TCG_LOTTO_VN&gameCategory=LOTT&gameId=101',
  ),
  {
    name: 'results of lotteries',
    path: '/m/lotteryHistory',
    expectReady: expectLoaded('combobox'),
  },
];
