import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import {
  sessionPassword,
  storeSessionPassword,
  recall,
  remember,
} from '../../api/remembered-login.ts';
import { currentSession, endSession, startSession, useSessionStore } from '../../api/session.ts';
import { chooseLanguage, loadScreenMessages } from '../../i18n/runtime.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { settings } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import ChangePasswordScreen from './ChangePasswordScreen.tsx';

const path = '/wps/member/password';
const grant = { token: 'token-2', userName: 'minhanh92', type: 0, firstTimeLogin: false };

const security = {
  level: 1,
  hasPassword: true,
  temporaryPassword: true,
  mobile: '',
  email: '',
  paymentPassword: false,
  question: '',
  sessions: 1,
};

function withAnswers(more: Record<string, unknown> = {}) {
  return answerWith({
    'GET /wps/system/settings/consolidated': settings,
    'GET /wps/system/setting/register': golden.body.value,
    'GET /wps/member/security': security,
    [`PUT ${path}`]: grant,
    ...more,
  });
}

beforeEach(() => {
  toast.hide();
  localStorage.clear();
  history.replaceState(null, '', '/m/changePsw');
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'minhanh92',
    merchantCode: 'fairground',
    firstTimeLogin: true,
  });
});

const show = () =>
  renderScreen(
    <>
      <ChangePasswordScreen />
      <ToastViewport />
    </>,
  );
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const confirm = async () => userEvent.click(await screen.findByRole('button', { name: 'Confirm' }));

async function fill(values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values)) {
    // oxlint-disable-next-line no-await-in-loop -- fields are filled in order
    const input = await field(label);
    // oxlint-disable-next-line no-await-in-loop
    await enter(input, text);
  }
}

const good = {
  'Old password': 'Demo1234',
  'New password': 'Secret123',
  'Confirm new password': 'Secret123',
};
const newOnly = { 'New password': 'Secret123', 'Confirm new password': 'Secret123' };

test('OS-01 the name is read-only; the old password is asked for unless this page knows it', async () => {
  withAnswers();
  show();
  const name = await field('Username');
  expect(name.readOnly).toBe(true);
  expect(name.value).toBe('minhanh92');
  const old = await field('Old password');
  expect(screen.getByText(/^Your password was chosen by somebody else/)).toBeVisible();
  expect(screen.getByText('The one that you were given').id).toBe(
    old.getAttribute('aria-describedby'),
  );
  expect(await field('New password')).toBeVisible();
  expect(await field('Confirm new password')).toBeVisible();
});

test('a member who has just registered chose the password', async () => {
  withAnswers({ 'GET /wps/member/security': { ...security, temporaryPassword: false } });
  show();
  await field('Old password');
  expect(screen.queryByText(/^Your password was chosen by somebody else/)).toBeNull();
});

test('a first password long after the login needs a code', async () => {
  const requests = withAnswers({
    'GET /wps/member/security': { ...security, hasPassword: false, proof: 'sms' },
  });
  show();
  await enter(await field('New password'), 'Other1234');
  await enter(await field('Confirm new password'), 'Other1234');
  await enter(await field('Code to prove that it is you'), '123456');
  await confirm();
  await expect.poll(() => requests.some(({ method }) => method === 'PUT')).toBe(true);
  expect(await requests.find(({ method }) => method === 'PUT')?.json()).toMatchObject({
    proofCode: '123456',
  });
});

test('a member who joined with an external account sets a first password without an old one', async () => {
  const requests = withAnswers({ 'GET /wps/member/security': { ...security, hasPassword: false } });
  show();
  await fill(newOnly);
  expect(screen.queryByLabelText('Old password')).toBeNull();
  await confirm();
  await expect.poll(() => currentSession()?.token).toBe('token-2');
  expect(await sentTo(requests, path)[0]?.json()).toEqual({
    oldPassword: '',
    newPassword: 'Secret123',
    confirmNewPassword: 'Secret123',
  });
});

test('OS-01 the old password is sent without asking if this page logged in with it', async () => {
  storeSessionPassword('Demo1234');
  const requests = withAnswers();
  show();
  await field('New password');
  expect(screen.queryByLabelText('Old password')).toBeNull();
  await fill({ 'New password': 'Demo1234', 'Confirm new password': 'Demo1234' });
  await confirm();
  const same = 'The new password and the old password cannot be the same';
  expect(await screen.findByText(same)).toBeVisible();
  await fill(newOnly);
  await confirm();
  await expect.poll(() => currentSession()?.token).toBe('token-2');
  expect(await sentTo(requests, path)[0]?.json()).toEqual({
    oldPassword: 'Demo1234',
    newPassword: 'Secret123',
    confirmNewPassword: 'Secret123',
  });
});

test('ST-05 saving clears the known password, updates the stored login, shows a message, and goes home after 1 s', async () => {
  storeSessionPassword('Demo1234');
  await remember({
    type: 'username',
    username: 'minhanh92',
    password: 'Demo1234',
    countryDialingCode: '',
  });
  const requests = withAnswers();
  show();
  await fill(newOnly);
  // The test ends the delay of one second.
  let endDelay: (() => void) | undefined;
  const setRealTimeout = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    then: (...given: unknown[]) => void,
    ms?: number,
    ...given: unknown[]
  ) => {
    if (ms !== 1000) return setRealTimeout(then, ms, ...given);
    endDelay = () => then(...given);
    return 0;
  }) as typeof setRealTimeout);
  await confirm();
  expect(await screen.findByText('Change saved')).toBeVisible();
  expect(location.pathname).toBe('/m/changePsw');
  expect(sessionPassword()).toBeNull();
  expect(await recall()).toMatchObject({ password: 'Secret123' });
  expect(currentSession()).toMatchObject({ token: 'token-2', firstTimeLogin: false });
  expect(localStorage.getItem('firstTimeLogin')).toBe('false');
  await expect.poll(() => endDelay).toBeDefined();
  expect(location.pathname).toBe('/m/changePsw');
  act(() => endDelay?.());
  await expect.poll(() => location.pathname).toBe('/m/home');
  expect(sentTo(requests, path)[0]?.headers.get('ModuleId')).toBe('CHNGPASSVERIF3');
});

test('VA-06 VA-11 the three messages: differs from the old, matches the confirmation, confirmation required', async () => {
  const requests = withAnswers();
  show();
  await fill({ 'Old password': 'Demo1234', 'New password': 'Demo1234' });
  await confirm();
  const same = 'The new password and the old password cannot be the same';
  expect((await screen.findByText(same)).id).toBe(
    (await field('New password')).getAttribute('aria-describedby'),
  );
  expect((await screen.findByText('Enter password')).id).toBe(
    (await field('Confirm new password')).getAttribute('aria-describedby'),
  );
  await fill({ 'New password': 'Secret123', 'Confirm new password': 'Secret12' });
  expect(await screen.findByText('Confirmation password not matched')).toBeVisible();
  await fill({ 'New password': 'abc' });
  expect(await screen.findByText('Password format incorrect')).toBeVisible();
  // The old password may be shorter than the rule for new ones.
  await fill({ 'Old password': 'a' });
  expect((await field('Old password')).getAttribute('aria-invalid')).toBeNull();
  expect(sentTo(requests, path)).toHaveLength(0);
});

test('VA-05 change password: an error follows a change of language', async () => {
  await loadScreenMessages('password');
  withAnswers();
  show();
  await fill({ 'Old password': 'Demo1234', 'New password': 'abc' });
  await confirm();
  expect(await screen.findByText('Password format incorrect')).toBeVisible();
  await act(() => chooseLanguage('pt'));
  expect(await screen.findByText('Formato da senha incorreto')).toBeVisible();
  await act(() => chooseLanguage('en'));
});

test('ER-04 password change: a failure hides the loading toast and shows an error, and nothing else happens', async () => {
  let answer: unknown = new Failing(422, 'member.password_wrong', { field: 'oldPassword' });
  withAnswers({ [`PUT ${path}`]: () => answer });
  show();
  const loading = vi.spyOn(toast, 'loading');
  await fill(good);
  await confirm();
  const note = await screen.findByText('The password is not correct');
  expect(note.id).toBe((await field('Old password')).getAttribute('aria-describedby'));
  expect(loading).toHaveBeenCalledWith({ seconds: 10 });
  expect(document.querySelector('[aria-busy=true]')).toBeNull();
  answer = new Failing(403, 'member.trial_refused');
  await fill({ 'Old password': 'Demo12345' });
  await confirm();
  const refusal = 'Please login an actual account to use this function';
  expect(await screen.findByText(refusal)).toBeVisible();
  answer = new Failing(500, 'something.new');
  await confirm();
  expect(await screen.findByText(/^System error/)).toBeVisible();
  expect((await field('New password')).value).toBe('Secret123');
  expect(location.pathname).toBe('/m/changePsw');
  expect(currentSession()?.token).toBe('token-1');
});

test('a known password that is wrong by now must be typed', async () => {
  storeSessionPassword('Demo1234');
  withAnswers({
    [`PUT ${path}`]: new Failing(422, 'member.password_wrong', { field: 'oldPassword' }),
  });
  show();
  await fill(newOnly);
  await confirm();
  expect((await field('Old password')).getAttribute('aria-invalid')).toBe('true');
  expect((await field('New password')).value).toBe('Secret123');
  expect(sessionPassword()).toBeNull();
});

test('the end of the old token is not reported if a new one arrives, and is if none does', async () => {
  let answer: unknown = grant;
  withAnswers({
    [`PUT ${path}`]: () => {
      void endSession('token-1');
      return answer;
    },
  });
  const onLogout = vi.fn();
  const stop = useSessionStore.subscribe(({ session }) => {
    if (!session) onLogout();
  });
  show();
  await fill(good);
  await confirm();
  await expect.poll(() => currentSession()?.token).toBe('token-2');
  expect(onLogout).not.toHaveBeenCalled();
  stop();
  answer = new Failing(401, 'user.or.token.invalid');
  cleanup();
  show();
  await fill(good);
  await confirm();
  await expect.poll(() => currentSession()).toBeNull();
  expect(useSessionStore.getState().ended).toBe(true);
});

test('a double tap sends once', async () => {
  const requests = withAnswers();
  show();
  await fill(good);
  await userEvent.dblClick(await screen.findByRole('button', { name: 'Confirm' }));
  await screen.findByText('Change saved');
  expect(sentTo(requests, path)).toHaveLength(1);
});

test('loading and failed states', async () => {
  withAnswers({ 'GET /wps/system/setting/register': new Failing(503, 'system.unavailable') });
  const { container } = show();
  expect(container.querySelector('[aria-busy=true]')).not.toBeNull();
  expect(await screen.findByText('Load failed, tap to retry')).toBeVisible();
});
