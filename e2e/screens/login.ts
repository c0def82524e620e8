import { expect, type Locator, type Page } from '@playwright/test';

import { ChangePassword } from '../pages/change-password.ts';
import { Forget } from '../pages/forget.ts';
import { Login } from '../pages/login.ts';
import { Outbox } from '../pages/outbox.ts';
import { Register } from '../pages/register.ts';
import { Trial } from '../pages/trial.ts';
import type { Language } from '../support/text.ts';
import type { Screen } from './screen.ts';

const registration = { path: '/m/register', fullPage: true } as const;

const withEveryLogin: Pick<Screen, 'prepare' | 'expectReady'> = {
  prepare: async (page) => new Login(page).enableEveryLogin(),
  expectReady: async (page, language) =>
    expect(new Login(page, language).externalLogin('Google')).toBeVisible(),
};

function expectInvalid(field: (page: Page, language: Language) => Locator): Screen['expectReady'] {
  return async (page, language) =>
    expect(field(page, language)).toHaveAttribute('aria-invalid', 'true');
}

export const loginScreens: Screen[] = [
  {
    name: 'login',
    soakOnly: true,
    path: '/m/login',
    expectReady: async (page, language) => expect(new Login(page, language).submit).toBeVisible(),
  },
  {
    name: 'login with errors',
    path: '/m/login',
    reach: async (page) => new Login(page).submit.tap(),
    expectReady: async (page, language) => {
      const message = new Login(page, language).text('errors.member.password_required');
      await expect(page.getByText(message)).toBeVisible();
    },
  },
  {
    name: 'login with a captcha',
    soakOnly: true,
    path: '/m/login',
    reach: async (page) => new Login(page).failAskingForCaptcha(),
    expectReady: async (page, language) => expect(new Login(page, language).picture).toBeVisible(),
  },
  {
    name: 'login with every login method',
    path: '/m/login',
    fullPage: true,
    ...withEveryLogin,
  },
  {
    name: 'login by number with errors',
    soakOnly: true,
    path: '/m/login',
    reach: async (page) => new Login(page).failByNumber(),
    expectReady: async (page, language) => {
      const message = page.getByText(new Login(page, language).text('errors.validation.required'));
      await expect(message.first()).toBeVisible();
    },
  },
  {
    name: 'trial',
    path: '/m/trail',
    expectReady: async (page, language) => expect(new Trial(page, language).start).toBeVisible(),
  },
  {
    name: 'trial that is switched off',
    soakOnly: true,
    path: '/m/trail',
    reach: async (page) => new Trial(page).failToStart(),
    expectReady: async (page, language) =>
      expect(new Trial(page, language).failure).not.toBeEmpty(),
  },
  {
    name: 'registration',
    soakOnly: true,
    ...registration,
    expectReady: async (page, language) =>
      expect(new Register(page, language).submit).toBeVisible(),
  },
  {
    name: 'registration with every login method',
    soakOnly: true,
    ...registration,
    ...withEveryLogin,
  },
  {
    name: 'registration with errors',
    ...registration,
    reach: async (page) => {
      const register = new Register(page);
      await register.write({ username: 'a', password: 'abc', confirmPassword: 'abcd' });
      await register.submit.tap();
    },
    expectReady: async (page, language) => {
      const message = new Register(page, language).text('errors.member.password_confirm');
      await expect(page.getByText(message)).toBeVisible();
    },
  },
  {
    name: 'registration by number with errors',
    soakOnly: true,
    ...registration,
    reach: async (page) => {
      const register = new Register(page);
      await register.tab('Mobile number').check({ force: true });
      await register.submit.tap();
    },
    expectReady: expectInvalid((page, language) => new Register(page, language).field('mobileNum')),
  },
  {
    name: 'registration without a confirmed age',
    soakOnly: true,
    ...registration,
    reach: async (page) => {
      const register = new Register(page);
      await register.write({
        username: 'minhanh92',
        password: 'Ferris1234',
        confirmPassword: 'Ferris1234',
        captcha: '123456',
      });
      await register.submit.tap();
    },
    expectReady: expectInvalid((page, language) => new Register(page, language).age),
  },
  {
    name: 'the slider captcha',
    soakOnly: true,
    path: '/m/login',
    overlay: true,
    prepare: async (page) => new Login(page).enableEveryLogin(),
    reach: async (page) => new Login(page).logIn('player99', 'Secret123'),
    expectReady: async (page) => expect(page.getByRole('slider')).toBeVisible(),
  },
  {
    name: 'forgotten password',
    soakOnly: true,
    path: '/m/forget',
    expectReady: async (page, language) =>
      expect(new Forget(page, language).button('Send code')).toBeVisible(),
  },
  {
    name: 'forgotten password with errors',
    path: '/m/forget',
    reach: async (page) => new Forget(page).button('Send code').tap(),
    expectReady: expectInvalid((page, language) => new Forget(page, language).field('mobileNum')),
  },
  {
    name: 'the code for a new password',
    path: '/m/forget',
    reach: async (page) => new Forget(page).reach('code'),
    expectReady: async (page, language) =>
      expect(new Forget(page, language).field('verificationCode')).toBeVisible(),
  },
  {
    name: 'a new password with errors',
    soakOnly: true,
    path: '/m/forget',
    reach: async (page) => {
      const forget = new Forget(page);
      await forget.reach('password');
      await forget.write({ newPassword: 'Ferris1234', confirmNewPassword: 'abcd' });
      await forget.button('Set the new password').tap();
    },
    expectReady: expectInvalid((page, language) =>
      new Forget(page, language).field('confirmNewPassword'),
    ),
  },
  {
    name: 'change of password',
    soakOnly: true,
    path: '/m/changePsw',
    member: true,
    expectReady: async (page, language) =>
      expect(new ChangePassword(page, language).submit).toBeVisible(),
  },
  {
    name: 'change of password with errors',
    path: '/m/changePsw',
    member: true,
    reach: async (page) => new ChangePassword(page).submit.tap(),
    expectReady: expectInvalid((page, language) =>
      new ChangePassword(page, language).field('oldPassword'),
    ),
  },
  {
    name: 'a first password',
    soakOnly: true,
    path: '/m/changePsw',
    member: true,
    reach: async (page) => {
      await page.evaluate(() => localStorage.setItem('firstTimeLogin', 'true'));
      await page.reload();
    },
    expectReady: async (page, language) => {
      const change = new ChangePassword(page, language);
      await expect(change.title).toHaveText(change.text('First password'));
      await expect(change.submit).toBeVisible();
    },
  },
  {
    name: 'outbox of a demo',
    soakOnly: true,
    path: '/dev/outbox',
    reach: async (page) => new Outbox(page).fill(),
    expectReady: async (page, language) =>
      expect(new Outbox(page, language).main.getByRole('listitem').first()).toBeVisible(),
  },
];
