import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { prefillLoginName } from '../../api/next-login.ts';
import { sessionPassword, recall, remember } from '../../api/remembered-login.ts';
import { clearSession, currentSession } from '../../api/session.ts';
import { isAutoLogin } from '../../lib/auto-login.ts';
import { navigate } from '../../lib/router.tsx';
import { localStore } from '../../lib/storage.ts';
import { Failing } from '../../lib/testing/answers.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { LoginForm } from './LoginForm.tsx';
import {
  begin,
  box,
  grant,
  login,
  loginCall,
  logins,
  password,
  site,
  type,
  username,
} from './testing.ts';

beforeEach(begin);

test('LG-03 the box remembers the login, and without it nothing is kept', async () => {
  site({ [loginCall]: grant });
  const { unmount } = renderScreen(<LoginForm />);
  await type('demo88', 'Demo1234');
  expect(box().checked).toBe(false);
  await userEvent.click(box());
  await userEvent.click(login());
  await expect.poll(isAutoLogin).toBe(true);
  expect(await recall()).toEqual({
    type: 'username',
    username: 'demo88',
    password: 'Demo1234',
    countryDialingCode: '84',
  });
  expect(sessionPassword()).toBe('Demo1234');
  unmount();

  clearSession();
  localStorage.setItem('autoLogin', '0');
  navigate('/m/home');
  navigate('/m/login');
  renderScreen(<LoginForm />);
  await expect.poll(() => password().value).toBe('Demo1234');
  expect(box().checked).toBe(true);
  expect(currentSession()).toBeNull();
  await userEvent.click(box());
  await userEvent.click(login());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  await expect.poll(recall).toBeNull();
});

test('LG-03 a number is remembered without its code', async () => {
  site({ [loginCall]: grant });
  const { unmount } = renderScreen(<LoginForm />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  const number = () =>
    screen.findByLabelText<HTMLInputElement>('Mobile number', { selector: '[name=mobileNum]' });
  await userEvent.type(await number(), '0912345678');
  await userEvent.type(screen.getByLabelText('Verification code'), '123456');
  await userEvent.click(box());
  await userEvent.click(login());
  await expect.poll(async () => (await recall())?.type).toBe('sms');
  unmount();

  clearSession();
  navigate('/m/home');
  navigate('/m/login');
  renderScreen(<LoginForm />);
  expect((await number()).value).toBe('912345678');
  expect(screen.getByLabelText<HTMLInputElement>('Verification code').value).toBe('');
});

const record = {
  type: 'username',
  username: 'demo88',
  password: 'Demo1234',
  countryDialingCode: '84',
} as const;

/** A minute later: one page does not log in by itself again and again. */
let clock = Date.now();
function later(): void {
  clock += 61_000;
  vi.spyOn(Date, 'now').mockReturnValue(clock);
}

test('LG-07 what is remembered logs in by itself', async () => {
  later();
  const asked = site({ [loginCall]: grant });
  await remember(record);
  renderScreen(<LoginForm />);
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(currentSession()?.merchantCode).toBe('fairground');
  expect(await logins(asked)[0]?.json()).toEqual({
    type: 'username',
    username: 'demo88',
    password: 'Demo1234',
  });
  expect(sessionPassword()).toBe('Demo1234');
  expect(isAutoLogin()).toBe(true);
});

/** What is wrong, above the fields or, of a captcha, at its own. */
const told = () =>
  document.querySelector('input[name=captcha][aria-invalid]')
    ? 'captcha'
    : screen.getAllByRole('alert')[0]?.textContent;

test.each([
  ['a wrong password', new Failing(401, 'login.incorrect'), { kept: false, auto: false }],
  ['a captcha', new Failing(422, 'captcha.required'), { kept: true, auto: false }],
  ['a slider', new Failing(422, 'challenge.required'), { kept: true, auto: false }],
  ['a locked account', new Failing(403, 'login.locked'), { kept: true, auto: false }],
  ['the agents’ area', new Failing(403, 'login.not_agent'), { kept: true, auto: true }],
  ['a broken line', () => Promise.reject(new TypeError('gone')), { kept: true, auto: true }],
  ['a broken server', new Failing(500, 'system.error'), { kept: true, auto: true }],
])('LG-07 no loop where %s is in the way', async (_, answer, { kept, auto }) => {
  later();
  const asked = site({ [loginCall]: answer });
  await remember(record);
  const { unmount } = renderScreen(<LoginForm />);
  await expect.poll(() => logins(asked).length).toBe(1);
  await expect.poll(told).not.toBe('');
  expect(currentSession()).toBeNull();
  expect(username().value).toBe('demo88');
  expect(password().value).toBe(kept ? 'Demo1234' : '');
  expect(box().checked).toBe(kept);
  expect((await recall()) !== null).toBe(kept);
  expect(isAutoLogin()).toBe(auto);
  unmount();
  // The screen comes again at once, as it does where a session ends right after it began.
  navigate('/m/home');
  navigate('/m/login');
  renderScreen(<LoginForm />);
  await screen.findByText('Play for free');
  await recall();
  expect(logins(asked)).toHaveLength(1);
});

test('LG-07 a password that was changed elsewhere fails once, then its record goes', async () => {
  site({ [loginCall]: new Failing(401, 'login.incorrect') });
  await remember(record);
  localStorage.setItem('autoLogin', '0');
  renderScreen(<LoginForm />);
  await expect.poll(() => password().value).toBe('Demo1234');
  await userEvent.click(login());
  await expect.poll(recall).toBeNull();
  expect(password().value).toBe('Demo1234');
});

test('LG-07 somebody who is faster than what is remembered is not disturbed', async () => {
  const asked = site({ [loginCall]: grant });
  await remember(record);
  renderScreen(<LoginForm arriving />);
  await userEvent.type(username(), 'other99');
  await recall();
  expect(username().value).toBe('other99');
  expect(logins(asked)).toHaveLength(0);
});

test('whoever has just set a new password finds the name filled in, once', async () => {
  await remember(record);
  site({});
  prefillLoginName('minhanh92');
  const { unmount } = renderScreen(<LoginForm />);
  await recall();
  expect(username().value).toBe('minhanh92');
  expect(password().value).toBe('');
  unmount();
  localStorage.clear();
  navigate('/m/home');
  navigate('/m/login');
  renderScreen(<LoginForm />);
  expect(username().value).toBe('');
});

test('whoever has just set a new password logs in by name and password, though a number was typed before', async () => {
  site({});
  const { unmount } = renderScreen(<LoginForm />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  unmount();
  navigate('/m/forget');
  prefillLoginName('minhanh92');
  navigate('/m/login');
  renderScreen(<LoginForm />);
  expect(await screen.findByRole('radio', { name: 'Username', checked: true })).toBeDefined();
  expect(username().value).toBe('minhanh92');
  expect(password().value).toBe('');
});

const denied = () => {
  throw new DOMException('denied', 'SecurityError');
};

test.each([
  [
    'full',
    () =>
      vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new DOMException('full', 'QuotaExceededError');
      }),
  ],
  ['blocked', () => vi.spyOn(window, 'localStorage', 'get').mockImplementation(denied)],
])(
  'storage that is %s: a login goes through, and nothing of it stays on the device',
  async (_, spoil) => {
    site({ [loginCall]: grant });
    spoil();
    renderScreen(<LoginForm />);
    await type('demo88', 'Demo1234');
    await userEvent.click(box());
    await userEvent.click(login());
    await expect.poll(() => currentSession()?.token).toBe('token-1');
    expect(sessionPassword()).toBe('Demo1234');
    vi.restoreAllMocks();
    expect(Object.keys(localStorage)).toEqual([]);
    // The page itself remembers, as long as it is there.
    localStore.clear();
  },
);
