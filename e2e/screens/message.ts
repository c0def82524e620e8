import { expect } from '@playwright/test';

import type { Screen } from './screen.ts';

export const messageScreens: Screen[] = [
  {
    name: 'message centre',
    path: '/m/message',
    member: true,
    whole: true,
    expectReady: async (page) => expect(page.locator('main a[href="/m/webEmail"]')).toBeVisible(),
  },
  {
    name: 'live streams',
    path: '/m/liveStream',
    member: true,
    whole: true,
    expectReady: async (page) =>
      expect(page.locator('main a[href^="/m/liveStream?id="]').first()).toBeVisible(),
  },
  {
    name: 'live stream',
    path: '/m/liveStream',
    member: true,
    whole: true,
    reach: async (page) => page.locator('main a[href^="/m/liveStream?id="]').first().click(),
    expectReady: async (page) => {
      await expect(page.locator('main video')).toBeVisible();
      await expect(page.locator('main form input')).toBeVisible();
    },
  },
  {
    name: 'chat',
    path: '/m/chat',
    member: true,
    whole: true,
    expectReady: async (page) => expect(page.locator('main textarea')).toBeVisible(),
  },
  {
    name: 'inbox',
    path: '/m/webEmail',
    member: true,
    whole: true,
    expectReady: async (page) => expect(page.locator('main [role="group"]')).toBeVisible(),
  },
  {
    name: 'feedback',
    path: '/m/member/feedback',
    member: true,
    whole: true,
    expectReady: async (page) => expect(page.locator('main textarea')).toBeVisible(),
  },
  {
    name: 'notifications',
    path: '/m/member/notifications',
    member: true,
    whole: true,
    expectReady: async (page) => expect(page.getByRole('switch').first()).toBeVisible(),
  },
];
