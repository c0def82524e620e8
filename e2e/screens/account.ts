import { expect, type Page } from '@playwright/test';

import { Login } from '../pages/login.ts';
import { Member } from '../pages/member.ts';
import { Profile } from '../pages/profile.ts';
import { Security, type SecurityRow } from '../pages/security.ts';
import { alterAnswer } from '../support/network.ts';
import type { Screen } from './screen.ts';

const mobile = '+84******678';
/** A member whose mobile number and e-mail can be changed only with the payment password. */
const withPaymentPassword = { ask: 'payment', paymentPassword: true, mobile };

export const accountScreens: Screen[] = [
  {
    name: 'member centre',
    path: '/m/member/home',
    member: true,
    fullPage: true,
    expectReady: async (page, language) => new Member(page, language).expectReady(),
  },
  {
    name: 'settings in the member centre',
    soakOnly: true,
    path: '/m/member/home',
    member: true,
    overlay: true,
    reach: async (page) => new Member(page).settingsButton.tap(),
    expectReady: async (page, language) =>
      expect(new Member(page, language).settingsSheet).toBeVisible(),
  },
  {
    name: 'profile',
    soakOnly: true,
    path: '/m/member/profile',
    member: true,
    fullPage: true,
    expectReady: async (page, language) => expect(new Profile(page, language).save).toBeVisible(),
  },
  {
    name: 'profile with errors',
    path: '/m/member/profile',
    member: true,
    fullPage: true,
    reach: async (page) => {
      const profile = new Profile(page);
      await profile.field('payeeName').fill('x');
      await profile.field('zalo').fill('x');
      await profile.save.tap();
    },
    expectReady: async (page, language) =>
      expect(new Profile(page, language).field('payeeName')).toHaveAttribute(
        'aria-invalid',
        'true',
      ),
  },
  {
    name: 'choice of a picture',
    soakOnly: true,
    path: '/m/member/profile',
    member: true,
    overlay: true,
    reach: async (page) => new Profile(page).changePicture.tap(),
    expectReady: async (page, language) =>
      expect(new Profile(page, language).preset(12)).toBeVisible(),
  },
  {
    name: 'a picture to be cropped',
    path: '/m/member/profile',
    member: true,
    overlay: true,
    reach: async (page) => {
      const profile = new Profile(page);
      await profile.changePicture.tap();
      await profile.uploadPhoto();
    },
    expectReady: async (page) => expect(page.getByRole('dialog').first()).toBeVisible(),
  },
  {
    name: 'security',
    path: '/m/member/security',
    member: true,
    fullPage: true,
    expectReady: async (page, language) =>
      expect(new Security(page, language).sessions.first()).toBeVisible(),
  },
  withErrors('adding a mobile number', 'Mobile number'),
  { ...withErrors('adding an e-mail', 'E-mail'), soakOnly: true },
  withErrors('a payment password', 'Payment password'),
  { ...withErrors('a security question', 'Security question'), soakOnly: true },
  {
    ...sheetScreen('security, proof by logging in again', 'E-mail', { proof: 'login' }),
    soakOnly: true,
    expectReady: async (page, language) =>
      expect(new Security(page, language).loginAgain('Google')).toBeVisible(),
  },
  {
    ...sheetScreen('security, proof by a code', 'E-mail', { proof: 'sms', mobile }),
    soakOnly: true,
    expectReady: async (page, language) =>
      expect(new Security(page, language).field('proofCode')).toBeVisible(),
  },
  {
    ...sheetScreen('security, proof by the payment password', 'Mobile number', withPaymentPassword),
    expectReady: async (page, language) =>
      expect(new Security(page, language).field('paymentPassword')).toBeVisible(),
  },
  {
    ...forgottenScreen('a forgotten payment password, by a code', {
      ...withPaymentPassword,
      paymentReset: 'sms',
    }),
    soakOnly: true,
    expectReady: async (page, language) =>
      expect(new Security(page, language).field('verificationCode')).toBeVisible(),
  },
  {
    ...forgottenScreen('a forgotten payment password, by customer service', withPaymentPassword),
    soakOnly: true,
    expectReady: async (page, language) =>
      expect(new Security(page, language).sheet.locator('a[href="/m/service"]')).toBeVisible(),
  },
  {
    name: 'logins elsewhere',
    soakOnly: true,
    path: '/m/member/security',
    member: true,
    fullPage: true,
    prepare: (page) =>
      alterAnswer(page, '**/wps/session/list', (value) => {
        const [here] = Object.values(value);
        const there = { ...here, current: false, address: '203.0.*.*' };
        return [
          here,
          { ...there, id: '2', device: 'OTHERS', country: 'BR' },
          { ...there, id: '3', device: 'TV', country: '', address: '2001:db8:*' },
        ];
      }),
    expectReady: async (page, language) =>
      expect(new Security(page, language).sessions).toHaveCount(3),
  },
];

/** A sheet of the security screen, for a member with these settings. */
function sheetScreen(
  name: string,
  row: SecurityRow,
  security: object,
): Omit<Screen, 'expectReady'> {
  return {
    name,
    path: '/m/member/security',
    member: true,
    overlay: true,
    prepare: async (page) => {
      await new Login(page).enableEveryLogin();
      await alterAnswer(page, '**/wps/member/security', (value) => ({ ...value, ...security }));
    },
    reach: async (page) => new Security(page).row(row).tap(),
  };
}

/** The sheet of the payment password, after a tap on “Forgotten?”. */
function forgottenScreen(name: string, security: object): Omit<Screen, 'expectReady'> {
  const screen = sheetScreen(name, 'Payment password', security);
  return {
    ...screen,
    reach: async (page: Page) => {
      await screen.reach?.(page);
      await new Security(page).forgotten.tap();
    },
  };
}

/** A sheet of the security screen with its errors for empty fields. */
function withErrors(name: string, row: SecurityRow): Screen {
  return {
    name: `${name}, with errors`,
    path: '/m/member/security',
    member: true,
    overlay: true,
    reach: async (page) => {
      const security = new Security(page);
      await security.row(row).tap();
      await security.save.tap();
      await expect(security.sheet.locator('[aria-invalid=true]').first()).toBeFocused();
    },
    expectReady: async (page, language) => {
      const message = new Security(page, language).text('errors.member.password_required');
      await expect(page.getByText(message).first()).toBeVisible();
    },
  };
}
