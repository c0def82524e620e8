import { expect } from '@playwright/test';

import { Member } from '../pages/member.ts';
import { Profile } from '../pages/profile.ts';
import { Security, type Part } from '../pages/security.ts';
import type { Screen } from './screen.ts';

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
];

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
    stands: async (page) => expect(page.locator('[aria-invalid=true]').first()).toBeVisible(),
  };
}
