import { expect, type Page } from '@playwright/test';

import { alterAnswer } from '../support/network.ts';
import type { Screen } from './screen.ts';

const at = Date.UTC(2026, 2, 14, 9);

export const messageScreens: Screen[] = [
  {
    name: 'message centre',
    path: '/m/message',
    member: true,
    fullPage: true,
    expectReady: async (page) => expect(page.locator('main a[href="/m/webEmail"]')).toBeVisible(),
  },
  {
    name: 'live streams',
    path: '/m/liveStream',
    member: true,
    fullPage: true,
    expectReady: async (page) =>
      expect(page.locator('main a[href^="/m/liveStream?id="]').first()).toBeVisible(),
  },
  {
    name: 'live stream',
    path: '/m/liveStream',
    member: true,
    fullPage: true,
    prepare: (page) =>
      alterAnswer(page, '**/wps/liveStreams/*/messages?*', () => ({
        list: [
          { seq: 1, name: 'min***92', text: 'Trận này hay quá', at },
          { seq: 2, name: 'dem***88', text: 'ہم دیکھ رہے ہیں', at, mine: true },
          { seq: 3, name: '', text: 'Chào mừng', at, operator: true },
        ],
        more: false,
      })),
    reach: async (page) => page.locator('main a[href^="/m/liveStream?id="]').first().click(),
    expectReady: async (page) => {
      await expect(page.locator('main video')).toBeVisible();
      await expect(page.locator('main form input')).toBeVisible();
      await expect(page.locator('main ol[aria-live] li')).toHaveCount(3);
    },
  },
  {
    name: 'chat',
    path: '/m/chat',
    member: true,
    fullPage: true,
    expectReady: async (page) => expect(page.locator('main textarea')).toBeVisible(),
  },
  {
    name: 'open chat',
    path: '/m/chat',
    member: true,
    fullPage: true,
    prepare: mockChat,
    expectReady: async (page) => {
      await expect(page.locator('main textarea')).toBeVisible();
      await expect(page.locator('main ol[aria-live] p[dir="auto"]')).toHaveCount(3);
    },
  },
  {
    name: 'inbox',
    path: '/m/webEmail',
    member: true,
    fullPage: true,
    expectReady: async (page) => expect(page.locator('main [role="group"]')).toBeVisible(),
  },
  {
    name: 'opened message',
    path: '/m/webEmail',
    member: true,
    fullPage: true,
    prepare: mockInbox,
    reach: async (page) => page.locator('main article button[aria-expanded]').first().click(),
    expectReady: async (page) =>
      expect(page.locator('main article h2', { hasText: 'Bảo trì' })).toBeVisible(),
  },
  {
    name: 'feedback',
    path: '/m/member/feedback',
    member: true,
    fullPage: true,
    expectReady: async (page) => expect(page.locator('main textarea')).toBeVisible(),
  },
  {
    name: 'notifications',
    path: '/m/member/notifications',
    member: true,
    fullPage: true,
    expectReady: async (page) => expect(page.getByRole('switch').first()).toBeVisible(),
  },
];

/** A conversation in which both sides have written. */
async function mockChat(page: Page): Promise<void> {
  await alterAnswer(page, '**/wps/chat', (value) => ({
    ...value,
    status: 'open',
    operator: 'Thu Hà',
    online: true,
    lastSeq: 5,
    customerRead: 5,
    read: 2,
  }));
  await alterAnswer(page, '**/wps/chat/messages?*', () => ({
    list: [
      { seq: 1, clientId: 'a', from: 'system', kind: 'event', text: 'started', at },
      { seq: 2, clientId: 'b', from: 'customer', kind: 'text', text: 'Chào bạn', at },
      {
        seq: 3,
        clientId: 'c',
        from: 'system',
        kind: 'event',
        text: 'claimed',
        operator: 'Thu Hà',
        at,
      },
      {
        seq: 4,
        clientId: 'd',
        from: 'operator',
        kind: 'text',
        text: 'Chào bạn, tôi giúp gì được?',
        operator: 'Thu Hà',
        at,
      },
      { seq: 5, clientId: 'e', from: 'customer', kind: 'text', text: 'شکریہ', at },
    ],
    more: false,
  }));
}

/** An inbox with an unread message of an operator and a read message of the system. */
async function mockInbox(page: Page): Promise<void> {
  const operators = { id: '11', kind: 'operator', title: 'Bảo trì', createdAt: at, read: false };
  const systems = { id: '12', kind: 'login.new', title: 'Đăng nhập', createdAt: at, read: true };
  await alterAnswer(page, '**/wps/relay/EMFE_getInboxMessages*', () => ({
    list: [
      { ...operators, preview: 'Từ 02:00 đến 02:30' },
      { ...systems, preview: 'Tài khoản của bạn vừa đăng nhập.' },
    ],
    next: '',
  }));
  const html =
    '<h2>Bảo trì</h2><p>Từ <b>02:00</b> đến 02:30. <a href="/m/help">Trợ giúp</a></p><ul><li>Casino</li></ul>';
  const value = { ...operators, html, link: '/m/activity' };
  await page.route('**/wps/relay/EMFE_getInboxMessage?*', (route) =>
    route.fulfill({ json: { success: true, value } }),
  );
}
