import { expect, type Page } from '@playwright/test';

import type { Screen } from './screen.ts';

const article = async (page: Page) =>
  expect(page.locator('main article, main li').first()).toBeVisible();

/** A new site has no rewards and no results yet. */
const loaded = (filter: 'radiogroup' | 'combobox') => async (page: Page) => {
  await expect(page.locator('main').getByRole(filter)).toBeVisible();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
};

/** Promotions, rewards and lotteries. */
export const offerScreens: Screen[] = [
  { name: 'promotions', path: '/m/activity', whole: true, expectReady: article },
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
    expectReady: loaded('radiogroup'),
  },
  { name: 'lotteries', path: '/m/lottery', whole: true, expectReady: article },
  { name: 'results of lotteries', path: '/m/lotteryHistory', expectReady: loaded('combobox') },
];
