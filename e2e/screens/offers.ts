import { expect, type Page } from '@playwright/test';

import type { Screen } from './screen.ts';

const expectArticle = async (page: Page) =>
  expect(page.locator('main article, main li').first()).toBeVisible();

/** Waits for the filter, because a new site has no rewards and no results yet. */
const expectLoaded = (filter: 'radiogroup' | 'combobox') => async (page: Page) => {
  await expect(page.locator('main').getByRole(filter)).toBeVisible();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
};

/** Promotions, rewards and lotteries. */
export const offerScreens: Screen[] = [
  { name: 'promotions', path: '/m/activity', whole: true, expectReady: expectArticle },
  {
    name: 'a promotion',
    path: '/m/activity',
    whole: true,
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
  { name: 'lotteries', path: '/m/lottery', whole: true, expectReady: expectArticle },
  {
    name: 'results of lotteries',
    path: '/m/lotteryHistory',
    expectReady: expectLoaded('combobox'),
  },
];
