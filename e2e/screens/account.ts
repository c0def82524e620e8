import { expect, type Page } from '@playwright/test';

import { Login } from '../pages/login.ts';
import { Member } from '../pages/member.ts';
import { Profile } from '../pages/profile.ts';
import { Security, type Part } from '../pages/security.ts';
import { alterAnswer } from '../support/network.ts';
import type { Screen } from './screen.ts';

const mobile = '+84******678';
/** What the server says of a member whose payment password guards the ways to recover it. */
const guarded = { ask: 'payment', paymentPassword: true, mobile };

/** The member's own screens. */
export const accountScreens: Screen[] = [
  {
    name: 'member centre',
    path: '/m/member/home',
    member: true,
    whole: true,
    stands: async (page, language) => new Member(page, language).stands(),
  },
  {
    name: 'settings in the member centre',
    soak: true,
    path: '/m/member/home',
    member: true,
    over: true,
    reach: async (page) => new Member(page).settings.tap(),
    stands: async (page, language) =>
      expect(new Member(page, language).settingsSheet).toBeVisible(),
  },
  {
    name: 'profile',
    soak: true,
    path: '/m/member/profile',
    member: true,
    whole: true,
    stands: async (page, language) => expect(new Profile(page, language).save).toBeVisible(),
  },
  {
    name: 'profile with errors',
    path: '/m/member/profile',
    member: true,
    whole: true,
    reach: async (page) => {
      const profile = new Profile(page);
      await profile.field('payeeName').fill('x');
      await profile.field('zalo').fill('x');
      await profile.save.tap();
    },
    stands: async (page, language) =>
      expect(new Profile(page, language).field('payeeName')).toHaveAttribute(
        'aria-invalid',
        'true',
      ),
  },
  {
    name: 'choice of a picture',
    soak: true,
    path: '/m/member/profile',
    member: true,
    over: true,
    reach: async (page) => new Profile(page).changePicture.tap(),
    stands: async (page, language) => expect(new Profile(page, language).preset(12)).toBeVisible(),
  },
  {
    name: 'a picture to be cropped',
    path: '/m/member/profile',
    member: true,
    over: true,
    reach: async (page) => {
      const profile = new Profile(page);
      await profile.changePicture.tap();
      await profile.takePhoto();
    },
    stands: async (page) => expect(page.getByRole('dialog').first()).toBeVisible(),
  },
  {
    name: 'security',
    path: '/m/member/security',
    member: true,
    whole: true,
    stands: async (page, language) =>
      expect(new Security(page, language).sessions.first()).toBeVisible(),
  },
  withErrors('binding a number', 'Mobile number'),
  { ...withErrors('binding an address', 'E-mail'), soak: true },
  withErrors('a payment password', 'Payment password'),
  { ...withErrors('a security question', 'Security question'), soak: true },
  {
    ...proved('a change proved by logging in again', 'E-mail', { proof: 'login' }),
    soak: true,
    stands: async (page, language) =>
      expect(new Security(page, language).loginAgain('Google')).toBeVisible(),
  },
  {
    ...proved('a change proved by a code', 'E-mail', { proof: 'sms', mobile }),
    soak: true,
    stands: async (page, language) =>
      expect(new Security(page, language).field('proofCode')).toBeVisible(),
  },
  {
    ...proved('a number guarded by the payment password', 'Mobile number', guarded),
    stands: async (page, language) =>
      expect(new Security(page, language).field('paymentPassword')).toBeVisible(),
  },
  {
    ...forgotten('a forgotten payment password, by a code', { ...guarded, paymentReset: 'sms' }),
    soak: true,
    stands: async (page, language) =>
      expect(new Security(page, language).field('verificationCode')).toBeVisible(),
  },
  {
    ...forgotten('a forgotten payment password, by customer service', guarded),
    soak: true,
    stands: async (page, language) =>
      expect(new Security(page, language).sheet.locator('a[href="/m/service"]')).toBeVisible(),
  },
  {
    name: 'logins elsewhere',
    soak: true,
    path: '/m/member/security',
    member: true,
    whole: true,
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
    stands: async (page, language) => expect(new Security(page, language).sessions).toHaveCount(3),
  },
];

/** A part of the security screen, opened by a member of whom the server says more. */
function proved(name: string, part: Part, security: object): Omit<Screen, 'stands'> {
  return {
    name,
    path: '/m/member/security',
    member: true,
    over: true,
    prepare: async (page) => {
      await new Login(page).offerEveryWay();
      await alterAnswer(page, '**/wps/member/security', (value) => ({ ...value, ...security }));
    },
    reach: async (page) => new Security(page).row(part).tap(),
  };
}

/** The payment password's part, after it was said to be forgotten. */
function forgotten(name: string, security: object): Omit<Screen, 'stands'> {
  const screen = proved(name, 'Payment password', security);
  return {
    ...screen,
    reach: async (page: Page) => {
      await screen.reach?.(page);
      await new Security(page).forgotten.tap();
    },
  };
}

/** A part of the security screen that shows what is wrong with it while it is empty. */
function withErrors(name: string, part: Part): Screen {
  return {
    name: `${name}, with errors`,
    path: '/m/member/security',
    member: true,
    over: true,
    reach: async (page) => {
      const security = new Security(page);
      await security.row(part).tap();
      await security.save.tap();
      await expect(security.sheet.locator('[aria-invalid=true]').first()).toBeFocused();
    },
    stands: async (page, language) => {
      const said = new Security(page, language).text('errors.member.password_required');
      await expect(page.getByText(said).first()).toBeVisible();
    },
  };
}
