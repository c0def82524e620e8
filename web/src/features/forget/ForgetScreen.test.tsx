import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { takeLoginName } from '../../api/next-login.ts';
import { clearSession, currentSession, startSession } from '../../api/session.ts';
import { chooseLanguage, loadScreenMessages } from '../../i18n/runtime.ts';
import { onLayer } from '../../lib/layers.ts';
import { navigate } from '../../lib/router.tsx';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { settings } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import ForgetScreen from './ForgetScreen.tsx';

type Setting = typeof golden.body.value;
const served: Setting = golden.body.value;

const path = '/wps/member/password';

function withAnswers(more: Record<string, unknown> = {}, reset: Partial<Setting['reset']> = {}) {
  const sending = () => ({ expiredMinutes: 5, expirationTime: Date.now() + 300_000 });
  return answerWith({
    'GET /wps/system/settings/consolidated': settings,
    'GET /wps/system/setting/register': { ...served, reset: { ...served.reset, ...reset } },
    'GET /wps/captcha': 'data:image/png;base64,AAAA',
    [`POST ${path}/sms`]: sending,
    [`POST ${path}/email`]: sending,
    [`POST ${path}/sms/verification`]: { ticket: 'ticket-1' },
    [`POST ${path}/email/verification`]: { ticket: 'ticket-1' },
    [`PUT ${path}/reset`]: { userName: 'minhanh92' },
    ...more,
  });
}

let numberCount = 0;
/** Returns a number that has no code waiting. */
const unusedNumber = () => `09123456${String((numberCount += 1)).padStart(2, '0')}`;

beforeEach(() => {
  // Sends plain request bodies; other tests cover the encryption.
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes });
  clearSession();
  toast.hide();
  takeLoginName();
  // Leaving the app discards the draft.
  history.replaceState(null, '', '/');
  history.replaceState(null, '', '/m/forget');
});

const show = () =>
  renderScreen(
    <>
      <ForgetScreen />
      <ToastViewport />
    </>,
  );
const field = (label: string) =>
  screen.findByLabelText<HTMLInputElement>(label, { selector: 'input:not([type=radio])' });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

async function fill(values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values)) {
    // oxlint-disable-next-line no-await-in-loop -- fields are filled in order
    const input = await field(label);
    // oxlint-disable-next-line no-await-in-loop
    await enter(input, text);
  }
}

const failure = () => document.querySelector('form [role=alert]')?.textContent;

async function goToCodeStep(number = unusedNumber()): Promise<void> {
  await fill({ 'Mobile number': number, Captcha: '123456' });
  await press('Send code');
  await field('Verification code');
}

async function goToPasswordStep(): Promise<void> {
  await goToCodeStep();
  await fill({ 'Verification code': '654321' });
  await press('Continue');
  await field('New password');
}

const newPassword = { 'New password': 'Secret123', 'Confirm new password': 'Secret123' };

test('the reset says that only verified numbers and addresses get a code, before and after the request', async () => {
  withAnswers();
  show();
  await field('Mobile number');
  const note = /Only verified mobile numbers and e-mail addresses get a code/;
  expect(screen.getByText(note)).toBeVisible();
  await goToCodeStep();
  expect(screen.getByText(note)).toBeVisible();
});

test('another username needs another code', async () => {
  const requests = withAnswers();
  const number = unusedNumber();
  show();
  await fill({ 'Mobile number': number, Username: 'minhanh29', Captcha: '123456' });
  await press('Send code');
  await field('Verification code');
  await press('Back');
  await fill({ Username: 'minhanh92', Captcha: '123456' });
  await press('Send code');
  await field('Verification code');
  const sent = await Promise.all(sentTo(requests, `${path}/sms`).map((one) => one.json()));
  expect(sent).toMatchObject([{ username: 'minhanh29' }, { username: 'minhanh92' }]);
});

test('RT-04 a number, its code and a new password lead to the login with the name filled in', async () => {
  const requests = withAnswers();
  show();
  const number = unusedNumber();
  await fill({ 'Mobile number': ` ${number} `, Username: ' MinhAnh92 ', Captcha: '123456' });
  await press('Send code');
  await fill({ 'Verification code': '654321' });
  await press('Continue');
  await fill(newPassword);
  await press('Set the new password');
  await expect.poll(() => location.pathname).toBe('/m/login');
  const who = { username: 'MinhAnh92', mobileNum: number.slice(1), countryDialingCode: '84' };
  expect(await sentTo(requests, `${path}/sms`)[0]?.json()).toEqual({ ...who, captcha: '123456' });
  expect(await sentTo(requests, `${path}/sms/verification`)[0]?.json()).toEqual({
    ...who,
    verificationCode: '654321',
  });
  expect(await sentTo(requests, `${path}/reset`)[0]?.json()).toEqual({
    ticket: 'ticket-1',
    newPassword: 'Secret123',
    confirmNewPassword: 'Secret123',
  });
  expect(await screen.findByText('Your new password is set, log in with it')).toBeVisible();
  expect(takeLoginName()).toBe('minhanh92');
});

test('RT-04 the same by e-mail; a logged-in member is logged out', async () => {
  const requests = withAnswers();
  const session = { token: 't', type: 0, merchantCode: 'fairground', firstTimeLogin: false };
  startSession({ ...session, userName: 'minhanh92' });
  show();
  await userEvent.click(await screen.findByRole('radio', { name: 'E-mail' }));
  await fill({ 'E-mail': 'minh@example.com', Captcha: '123456' });
  await press('Send code');
  expect((await screen.findByText(/^If there is an account with/)).textContent).toBe(
    'If there is an account with minh@example.com, a code is on its way.',
  );
  await fill({ 'Verification code': '654321' });
  await press('Continue');
  await fill(newPassword);
  await press('Set the new password');
  await expect.poll(() => location.pathname).toBe('/m/login');
  expect(await sentTo(requests, `${path}/email`)[0]?.json()).toEqual({
    email: 'minh@example.com',
    captcha: '123456',
  });
  expect(currentSession()).toBeNull();
});

test('only available channels are offered; without any, customer service is', async () => {
  withAnswers({}, { channels: ['email'], captcha: false });
  const first = show();
  await field('E-mail');
  expect(screen.queryByRole('radio')).toBeNull();
  expect(screen.queryByLabelText('Captcha')).toBeNull();
  first.unmount();
  withAnswers({}, { channels: [] });
  show();
  expect(await screen.findByText('No code can be sent at the moment')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Customer service' }).getAttribute('href')).toBe(
    '/m/service',
  );
});

test('VA-03 reset: a code is sent only to a valid number, which stays', async () => {
  const requests = withAnswers();
  show();
  await fill({ 'Mobile number': '0912', Captcha: '123456' });
  await press('Send code');
  const number = await field('Mobile number');
  await expect.poll(() => number.getAttribute('aria-invalid')).toBe('true');
  expect(await screen.findByText('The mobile number is not valid')).toBeVisible();
  expect(document.activeElement).toBe(number);
  expect(number.value).toBe('0912');
  expect(sentTo(requests, `${path}/sms`)).toHaveLength(0);
});

test('VA-02 reset: the captcha is required, and a wrong one shows an error and a new picture', async () => {
  const requests = withAnswers({
    [`POST ${path}/sms`]: new Failing(422, 'captcha.incorrect', { field: 'captcha' }),
  });
  show();
  const number = unusedNumber();
  await fill({ 'Mobile number': number });
  await press('Send code');
  expect(await screen.findByText('Enter a captcha')).toBeVisible();
  await fill({ Captcha: '111111' });
  await press('Send code');
  const captcha = await field('Captcha');
  expect((await screen.findByText('Captcha incorrect')).id).toBe(
    captcha.getAttribute('aria-describedby'),
  );
  expect(captcha.value).toBe('');
  expect((await field('Mobile number')).value).toBe(number);
  await expect.poll(() => sentTo(requests, '/wps/captcha').length).toBe(2);
});

test('a rate limit, a network error and an unknown error show above the fields, and the values stay', async () => {
  let answer: unknown = new Failing(429, 'rate.limited', { args: { seconds: 60 } });
  withAnswers({
    [`POST ${path}/sms`]: () => {
      if (answer instanceof TypeError) throw answer;
      return answer;
    },
  });
  show();
  const number = unusedNumber();
  await fill({ 'Mobile number': number, Captcha: '123456' });
  await press('Send code');
  await expect.poll(failure).toMatch(/^Too many/);
  answer = new TypeError('Failed to fetch');
  await fill({ Captcha: '123456' });
  await press('Send code');
  await expect.poll(failure).toMatch(/network/i);
  answer = new Failing(500, 'something.new');
  await fill({ Captcha: '123456' });
  await press('Send code');
  await expect.poll(failure).toMatch(/^System error/);
  expect((await field('Mobile number')).value).toBe(number);
});

test.each(['verification.incorrect', 'verification.expired'])(
  'a code refused with %s shows an error under its field and stays',
  async (code) => {
    withAnswers({ [`POST ${path}/sms/verification`]: new Failing(422, code) });
    show();
    await goToCodeStep();
    await fill({ 'Verification code': '000000' });
    await press('Continue');
    const input = await field('Verification code');
    await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true');
    expect(input.value).toBe('000000');
    expect(document.activeElement).toBe(input);
  },
);

test('ST-03 the countdown and the progress survive leaving the screen', async () => {
  const requests = withAnswers();
  const first = show();
  const number = unusedNumber();
  await goToCodeStep(number);
  const wait = () => screen.findByRole<HTMLButtonElement>('button', { name: /^Again in [45]:/ });
  expect((await wait()).disabled).toBe(true);
  first.unmount();
  act(() => history.pushState(null, '', '/m/service'));
  act(() => history.pushState(null, '', '/m/forget'));
  show();
  await field('Verification code');
  expect((await wait()).disabled).toBe(true);
  // Going back and forward sends no second code.
  await press('Back');
  expect((await field('Mobile number')).value).toBe(number);
  expect(screen.queryByLabelText('Captcha')).toBeNull();
  await press('Continue');
  await field('Verification code');
  expect(sentTo(requests, `${path}/sms`)).toHaveLength(1);
});

test('another code needs another captcha', async () => {
  let sent = 0;
  const requests = withAnswers({
    [`POST ${path}/sms`]: () => ({ expiredMinutes: (sent += 1) === 1 ? 0 : 5 }),
  });
  show();
  await goToCodeStep();
  expect(screen.queryByLabelText('Captcha')).toBeNull();
  await press('Send code');
  await fill({ Captcha: '222222' });
  await press('Send code');
  await screen.findByRole('button', { name: /^Again in/ });
  expect(sentTo(requests, `${path}/sms`)).toHaveLength(2);
  expect(screen.queryByLabelText('Captcha')).toBeNull();
});

test('an expired ticket leads back to the code step with an error, and keeps the password', async () => {
  withAnswers({
    [`PUT ${path}/reset`]: new Failing(409, 'member.reset_stale', { field: 'ticket' }),
  });
  show();
  await goToPasswordStep();
  await fill(newPassword);
  await press('Set the new password');
  expect((await field('Verification code')).value).toBe('');
  expect(failure()).toBe('This step has expired, please start again');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send code' }).disabled).toBe(false);
  await fill({ 'Verification code': '111111' });
  await press('Continue');
  expect((await field('New password')).value).toBe('Secret123');
});

test('VA-01 reset: the confirmation is required and must match; the password rule is shown', async () => {
  const requests = withAnswers();
  show();
  await goToPasswordStep();
  expect(screen.getByText('8–64 characters, with letters and digits')).toBeVisible();
  await fill({ 'New password': 'short' });
  await press('Set the new password');
  expect(await screen.findByText('Password format incorrect')).toBeVisible();
  expect(await screen.findByText('Enter password')).toBeVisible();
  await fill({ 'New password': 'Secret123', 'Confirm new password': 'Secret124' });
  await press('Set the new password');
  expect(await screen.findByText('Confirmation password not matched')).toBeVisible();
  expect(sentTo(requests, `${path}/reset`)).toHaveLength(0);
});

test('a common password shows an error under its field', async () => {
  withAnswers({
    [`PUT ${path}/reset`]: new Failing(422, 'member.password_common', { field: 'newPassword' }),
  });
  show();
  await goToPasswordStep();
  await fill(newPassword);
  await press('Set the new password');
  const note = await screen.findByText('This password is too common, choose another one');
  expect(note.id).toBe((await field('New password')).getAttribute('aria-describedby'));
});

test('a double tap sends once; going back and forward needs no second code', async () => {
  const requests = withAnswers();
  show();
  await fill({ 'Mobile number': unusedNumber(), Captcha: '123456' });
  await userEvent.dblClick(await screen.findByRole('button', { name: 'Send code' }));
  await fill({ 'Verification code': '654321' });
  await press('Continue');
  await field('New password');
  await press('Back');
  await press('Continue');
  await field('New password');
  expect(sentTo(requests, `${path}/sms`)).toHaveLength(1);
  expect(sentTo(requests, `${path}/sms/verification`)).toHaveLength(1);
});

test('the Back button goes back step by step, then home', async () => {
  withAnswers();
  show();
  await goToPasswordStep();
  await press('Back');
  await field('Verification code');
  await press('Back');
  await field('Mobile number');
  await press('Back');
  await expect.poll(() => location.pathname).toBe('/m/home');
});

test('the browser’s back goes step by step, and the values stay', async () => {
  navigate('/m/login');
  navigate('/m/forget');
  const requests = withAnswers();
  show();
  const number = unusedNumber();
  await goToCodeStep(number);
  await fill({ 'Verification code': '654321' });
  await press('Continue');
  await fill({ 'New password': 'Secret123' });
  act(() => history.back());
  expect((await field('Verification code')).value).toBe('654321');
  await expect.poll(onLayer).toBe(true);
  await press('Continue');
  expect((await field('New password')).value).toBe('Secret123');
  await press('Back');
  await field('Verification code');
  await expect.poll(onLayer).toBe(true);
  act(() => history.back());
  expect((await field('Mobile number')).value).toBe(number);
  expect(location.pathname).toBe('/m/forget');
  await expect.poll(onLayer).toBe(false);
  act(() => history.back());
  await expect.poll(() => location.pathname).toBe('/m/login');
  expect(sentTo(requests, `${path}/sms`)).toHaveLength(1);
});

test('leaving for another screen keeps the progress', async () => {
  withAnswers();
  const first = show();
  await goToCodeStep();
  await expect.poll(onLayer).toBe(true);
  act(() => navigate('/m/service'));
  first.unmount();
  act(() => history.back());
  await expect.poll(() => location.pathname).toBe('/m/forget');
  show();
  await field('Verification code');
});

test('only a demo links to the outbox', async () => {
  withAnswers();
  const demo = show();
  await goToCodeStep();
  expect(screen.getByRole('link', { name: '/dev/outbox' })).toBeVisible();
  demo.unmount();
  withAnswers({ 'GET /wps/system/settings/consolidated': { ...settings, demo: false } });
  show();
  await field('Verification code');
  expect(screen.queryByRole('link', { name: '/dev/outbox' })).toBeNull();
});

test('VA-05 reset: an error follows a change of language', async () => {
  await loadScreenMessages('forget');
  withAnswers();
  show();
  await fill({ 'Mobile number': '1' });
  await userEvent.tab();
  expect(await screen.findByText('The mobile number is not valid')).toBeVisible();
  await act(() => chooseLanguage('pt'));
  expect(await screen.findByText('O número de celular não é válido')).toBeVisible();
  await act(() => chooseLanguage('vi'));
});

test('loading and failed states', async () => {
  withAnswers({ 'GET /wps/system/setting/register': new Failing(503, 'system.unavailable') });
  const { container } = show();
  expect(container.querySelector('[aria-busy=true]')).not.toBeNull();
  expect(await screen.findByText('Load failed, tap to retry')).toBeVisible();
});

test('the link to change a wrong number leads back to it', async () => {
  withAnswers();
  show();
  const number = unusedNumber();
  await goToCodeStep(number);
  await press('Wrong number? Change it');
  expect((await field('Mobile number')).value).toBe(number);
});

test('the step, the number and the countdown survive a reload; the code does not', async () => {
  withAnswers();
  show();
  const number = unusedNumber();
  await goToCodeStep(number);
  await fill({ 'Verification code': '654321' });
  const stored = sessionStorage.getItem('forgetDraft') ?? '';
  expect(JSON.parse(stored)).toMatchObject({ step: 'code', values: { mobileNum: number } });
  expect(stored).not.toContain('654321');
  expect(sessionStorage.getItem('codeWaits')).toContain(number.slice(1));
});
