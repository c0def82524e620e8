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
  resetLogin,
  rememberBox,
  grant,
  login,
  loginCall,
  logins,
  password,
  withAnswers,
  type,
  username,
} from './testing.ts';

beforeEach(resetLogin);

test('LG-03 the box stores the login; without it nothing is stored', async () => {
  withAnswers({ [loginCall]: grant });
  const { unmount } = renderScreen(<LoginForm />);
  await type('demo88', 'Demo1234');
  expect(rememberBox().checked).toBe(false);
  await userEvent.click(rememberBox());
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
  expect(rememberBox().checked).toBe(true);
  expect(currentSession()).toBeNull();
  await userEvent.click(rememberBox());
  await userEvent.click(login());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  await expect.poll(recall).toBeNull();
});

test('LG-03 a number is stored without its code', async () => {
  withAnswers({ [loginCall]: grant });
  const { unmount } = renderScreen(<LoginForm />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  const number = () =>
    screen.findByLabelText<HTMLInputElement>('Mobile number', { selector: '[name=mobileNum]' });
  await userEvent.type(await number(), '0912345678');
  await userEvent.type(screen.getByLabelText('Verification code'), '123456');
  await userEvent.click(rememberBox());
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

/** Advances the clock past the pause between automatic logins. */
let clock = Date.now();
function passMinute(): void {
  clock += 61_000;
  vi.spyOn(Date, 'now').mockReturnValue(clock);
}

test('LG-07 a stored login logs in automatically', async () => {
  passMinute();
  const requests = withAnswers({ [loginCall]: grant });
  await remember(record);
  renderScreen(<LoginForm />);
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(currentSession()?.merchantCode).toBe('fairground');
  expect(await logins(requests)[0]?.json()).toEqual({
    type: 'username',
    username: 'demo88',
    password: 'Demo1234',
  });
  expect(sessionPassword()).toBe('Demo1234');
  expect(isAutoLogin()).toBe(true);
});

/** The form error, or "captcha" if that field is invalid. */
const shownError = () =>
  document.querySelector('input[name=captcha][aria-invalid]')
    ? 'captcha'
    : screen.getAllByRole('alert')[0]?.textContent;

test.each([
  [
    'a wrong password',
    new Failing(401, 'login.incorrect'),
    { isStored: false, isAutomatic: false },
  ],
  ['a captcha', new Failing(422, 'captcha.required'), { isStored: true, isAutomatic: false }],
  ['a slider', new Failing(422, 'challenge.required'), { isStored: true, isAutomatic: false }],
  ['a locked account', new Failing(403, 'login.locked'), { isStored: true, isAutomatic: false }],
  [
    'a login outside the agent area',
    new Failing(403, 'login.not_agent'),
    { isStored: true, isAutomatic: true },
  ],
  [
    'a network error',
    () => Promise.reject(new TypeError('gone')),
    { isStored: true, isAutomatic: true },
  ],
  ['a broken server', new Failing(500, 'system.error'), { isStored: true, isAutomatic: true }],
])('LG-07 no retry loop after %s', async (_, answer, { isStored, isAutomatic }) => {
  passMinute();
  const requests = withAnswers({ [loginCall]: answer });
  await remember(record);
  const { unmount } = renderScreen(<LoginForm />);
  await expect.poll(() => logins(requests).length).toBe(1);
  await expect.poll(shownError).not.toBe('');
  expect(currentSession()).toBeNull();
  expect(username().value).toBe('demo88');
  expect(password().value).toBe(isStored ? 'Demo1234' : '');
  expect(rememberBox().checked).toBe(isStored);
  expect((await recall()) !== null).toBe(isStored);
  expect(isAutoLogin()).toBe(isAutomatic);
  unmount();
  // The screen may open again at once, as when a session ends right after it starts.
  navigate('/m/home');
  navigate('/m/login');
  renderScreen(<LoginForm />);
  await screen.findByText('Play for free');
  await recall();
  expect(logins(requests)).toHaveLength(1);
});

test('LG-07 a password changed elsewhere fails once, then is forgotten', async () => {
  withAnswers({ [loginCall]: new Failing(401, 'login.incorrect') });
  await remember(record);
  localStorage.setItem('autoLogin', '0');
  renderScreen(<LoginForm />);
  await expect.poll(() => password().value).toBe('Demo1234');
  await userEvent.click(login());
  await expect.poll(recall).toBeNull();
  expect(password().value).toBe('Demo1234');
});

test('LG-07 a stored login does not replace typed values', async () => {
  const requests = withAnswers({ [loginCall]: grant });
  await remember(record);
  renderScreen(<LoginForm arriving />);
  await userEvent.type(username(), 'other99');
  await recall();
  expect(username().value).toBe('other99');
  expect(logins(requests)).toHaveLength(0);
});

test('after a password reset the name is filled in, once', async () => {
  await remember(record);
  withAnswers({});
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

test('after a password reset the form is in username mode, even if number mode was chosen before', async () => {
  withAnswers({});
  const { unmount } = renderScreen(<LoginForm />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  unmount();
  navigate('/m/forget');
  prefillLoginName('minhanh92');
  navigate('/m/login');
  renderScreen(<LoginForm />);
  expect(await screen.findByRole('radio', { name: 'Username', checked: true })).toBeVisible();
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
  'storage that is %s: the login succeeds and stores nothing on the device',
  async (_, breakStorage) => {
    withAnswers({ [loginCall]: grant });
    breakStorage();
    renderScreen(<LoginForm />);
    await type('demo88', 'Demo1234');
    await userEvent.click(rememberBox());
    await userEvent.click(login());
    await expect.poll(() => currentSession()?.token).toBe('token-1');
    expect(sessionPassword()).toBe('Demo1234');
    vi.restoreAllMocks();
    expect(Object.keys(localStorage)).toEqual([]);
    // The page itself still has the values in memory.
    localStore.clear();
  },
);
