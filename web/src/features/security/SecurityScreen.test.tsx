import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { chooseLanguage, loadScreenMessages } from '../../i18n/runtime.ts';
import { onLayer } from '../../lib/layers.ts';
import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { settings, switches } from '../../lib/testing/fixtures.ts';
import { clearScreen } from '../../lib/testing/screen.tsx';
import {
  unprotected,
  sheetToClose,
  thisDevice,
  input,
  logIn,
  save,
  show,
  type,
} from './testing.tsx';

beforeEach(logIn);

const passwordless = { ...unprotected, hasPassword: false };

test('without a password, a recent login proves the identity', async () => {
  const { requests } = await show('email', {
    'GET /wps/member/security': { ...passwordless, proof: 'fresh' },
  });
  await enter(await screen.findByLabelText('E-mail'), 'an@example.com');
  await enter(screen.getByLabelText('Verification code'), '123456');
  expect(screen.queryByLabelText('Login password')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Changes saved');
  const sent = requests.find(({ method }) => method === 'PUT');
  expect(await sent?.json()).toEqual({ email: 'an@example.com', verificationCode: '123456' });
});

test('without a password, a code to a bound number proves the identity', async () => {
  const { requests } = await show('payment', {
    'GET /wps/member/security': { ...passwordless, mobile: '+84******678', proof: 'sms' },
    'POST /wps/member/proof/code': { expiredMinutes: 5, expirationTime: Date.now() + 300_000 },
  });
  await enter(await screen.findByLabelText('New payment password'), '135790');
  await enter(screen.getByLabelText('Repeat payment password'), '135790');
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
  const code = screen.getByLabelText<HTMLInputElement>('Code to prove that it is you');
  const hint = screen.getByText('The code goes to \u2066+84******678\u2069');
  expect(code.getAttribute('aria-describedby')).toBe(hint.id);
  await enter(code, '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Changes saved');
  const sent = requests.find(({ method }) => method === 'PUT');
  expect(await sent?.json()).toEqual({
    proofCode: '123456',
    paymentPassword: '135790',
    confirmPaymentPassword: '135790',
  });
});

test('SE-01 app part: without a password or anything bound, a repeated login proves the identity and returns to the form', async () => {
  let answer: unknown = new Failing(422, 'outside.failed');
  const { requests } = await show('', {
    'GET /wps/member/security': { ...passwordless, proof: 'login' },
    'GET /wps/system/settings/consolidated': {
      ...settings,
      signIn: { google: true, facebook: false, sms: false, firebase: null },
    },
    'GET /wps/system/whitelabel': { ...switches, flags: { GOOGLELOGIN3: true } },
    'POST /wps/session/outside/google/again': () => answer,
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Mobile number/ }));
  const sheet = await screen.findByRole('dialog');
  const way = await within(sheet).findByRole('button', { name: 'Google account' });
  expect(sheet.querySelector('form')).toBeNull();
  await userEvent.click(way);
  await screen.findByText(/That way of logging in did not work/);
  answer = { address: '#over-there' };
  await userEvent.click(way);
  await expect.poll(() => location.hash).toBe('#over-there');
  const sent = requests.findLast(({ url }) => url.endsWith('/again'));
  expect(await sent?.json()).toEqual({ return: '/m/member/security?part=mobile' });
});

test('without a password, anything bound or an external login, only customer service can help', async () => {
  await show('mobile', { 'GET /wps/member/security': { ...passwordless, proof: 'login' } });
  const sheet = await screen.findByRole('dialog');
  const way = await within(sheet).findByRole('link', { name: 'Customer service' });
  expect(way.getAttribute('href')).toBe('/m/service');
});

test('the link to the password is hidden where it cannot be changed', async () => {
  await show('', { 'GET /wps/system/whitelabel': { flags: {}, modules: {}, promotions: {} } });
  await screen.findByText('Payment password');
  await expect.poll(() => document.querySelector('a[href="/m/changePsw"]')).toBeNull();
});

test('each row shows whether it is set and opens its form', async () => {
  await show('', {
    'GET /wps/member/security': {
      ...unprotected,
      mobile: '+84******678',
      paymentPassword: true,
      question: 'first_pet',
    },
  });
  const row = (name: RegExp) => screen.findByRole('button', { name });
  expect((await row(/^Mobile number/)).textContent).toBe('Mobile number+84******678');
  expect((await row(/^E-mail/)).textContent).toBe('E-mailNot set');
  expect((await row(/^Payment password/)).textContent).toBe('Payment passwordSet');
  expect((await row(/^Security question/)).textContent).toBe(
    'Security questionWhat was your first pet called?',
  );
  expect(screen.getByRole('link', { name: /^Password/ }).getAttribute('href')).toBe('/m/changePsw');
  await userEvent.click(await row(/^E-mail/));
  expect(await screen.findByRole('dialog', { name: 'Add an e-mail address' })).toBeVisible();
});

test.each([
  ['sms', 'Mobile number', 'E-mail', 'mobile'],
  ['email', 'E-mail', 'Mobile number', 'email'],
])('without %s the %s row is hidden', async (without, hidden, seen, part) => {
  const channels = ['sms', 'email'].filter((channel) => channel !== without);
  await show(part, {
    'GET /wps/system/setting/register': {
      ...golden.body.value,
      reset: { ...golden.body.value.reset, channels },
    },
  });
  await expect
    .poll(() => screen.queryByRole('button', { name: new RegExp(`^${seen}`) }))
    .not.toBeNull();
  await expect
    .poll(() => screen.queryByRole('button', { name: new RegExp(`^${hidden}`) }))
    .toBeNull();
  await sheetToClose();
});

test('a form opened by its URL stays closed once it was closed', async () => {
  await show('email');
  await screen.findByRole('dialog');
  await expect.poll(() => onLayer()).toBe(true);
  await userEvent.keyboard('{Escape}');
  await sheetToClose();
  await expect.poll(() => location.search).toBe('');
  expect(location.pathname).toBe('/m/member/security');
  expect(onLayer()).toBe(false);

  await clearScreen();
  await show('email');
  await screen.findByRole('dialog');
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  await sheetToClose();
  await expect.poll(() => location.search).toBe('');
  expect(location.pathname).toBe('/m/member/security');
});

test('a mobile number is bound with its code and the password, without its zero', async () => {
  const { requests } = await show('mobile');
  const sheet = await screen.findByRole('dialog', { name: 'Add a mobile number' });
  const send = await within(sheet).findByRole<HTMLButtonElement>('button', { name: 'Send code' });
  expect(send.disabled).toBe(true);
  await type('mobileNum', '0912345678');
  await expect.poll(() => send.disabled).toBe(false);
  await userEvent.click(send);
  expect(await within(sheet).findByRole('button', { name: /^Again in/ })).toBeVisible();
  expect(await sentTo(requests, 'POST /wps/verification/sms')[0]?.json()).toEqual({
    mobileNum: '912345678',
    countryDialingCode: '84',
    purpose: 'bind',
  });
  await type('verificationCode', '123456');
  await type('password', 'Secret123');
  await save();
  await sheetToClose();
  expect(await screen.findByText('Changes saved')).toBeVisible();
  expect(await sentTo(requests, 'PUT /wps/member/mobile')[0]?.json()).toEqual({
    mobileNum: '912345678',
    countryDialingCode: '84',
    verificationCode: '123456',
    password: 'Secret123',
  });
  expect(sentTo(requests, 'GET /wps/member/security').length).toBeGreaterThan(1);
});

test('VA-05 security: an error follows a change of language', async () => {
  await loadScreenMessages('security');
  await show('email');
  await type('email', 'nobody');
  await userEvent.tab();
  expect(await screen.findByText('E-mail format incorrect')).toBeVisible();
  await act(() => chooseLanguage('pt'));
  expect(await screen.findByText('Formato de e-mail incorreto')).toBeVisible();
  await act(() => chooseLanguage('en'));
});

test('a wrong code shows an error under its field, and the values stay', async () => {
  await show('email', {
    'PUT /wps/member/email': new Failing(422, 'verification.incorrect', {
      field: 'verificationCode',
    }),
  });
  await type('email', 'mai@example.com');
  await type('verificationCode', '000000');
  await type('password', 'Secret123');
  await save();
  const code = await input('verificationCode');
  await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(code);
  expect((await input('email')).value).toBe('mai@example.com');
  expect((await input('password')).value).toBe('Secret123');
});

test('nothing is sent while a value is missing', async () => {
  const { requests } = await show('email');
  await input('email');
  await save();
  await expect.poll(async () => document.activeElement === (await input('email'))).toBe(true);
  expect(sentTo(requests, 'PUT /wps/member/email')).toEqual([]);
});

test('a code that cannot be sent shows an error above the fields', async () => {
  await show('email', {
    'POST /wps/verification/email': new Failing(503, 'verification.unavailable'),
  });
  await type('email', 'mai@example.com');
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send code' });
  await expect.poll(() => send.disabled).toBe(false);
  await userEvent.click(send);
  const sheet = screen.getByRole('dialog');
  await expect.poll(() => within(sheet).getByRole('alert').textContent).not.toBe('');
});

test('OS-18 asked part: the question appears where the merchant requires it, and its answer is sent', async () => {
  let answered = false;
  const { requests } = await show('email', {
    'PUT /wps/member/email': () =>
      answered
        ? {}
        : new Failing(400, 'member.answer_required', {
            field: 'answer',
            args: { question: 'birth_city' },
          }),
  });
  await type('email', 'mai@example.com');
  await type('verificationCode', '123456');
  await type('password', 'Secret123');
  expect(document.querySelector('input[name=answer]')).toBeNull();
  await save();
  expect(await screen.findByText('In which town were you born?')).toBeVisible();
  const answer = await input('answer');
  expect(document.activeElement).toBe(answer);
  await type('answer', 'Hue');
  answered = true;
  await save();
  await sheetToClose();
  expect(await sentTo(requests, 'PUT /wps/member/email').at(-1)?.json()).toMatchObject({
    answer: 'Hue',
  });
});

test('OS-18 set part: a question and its answer are set with the password', async () => {
  const { requests } = await show('question');
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: 'Security question' }),
    'birth_city',
  );
  await type('answer', 'Hue');
  await type('password', 'Secret123');
  await save();
  await sheetToClose();
  expect(await sentTo(requests, 'PUT /wps/member/securityQuestion')[0]?.json()).toEqual({
    question: 'birth_city',
    answer: 'Hue',
    password: 'Secret123',
  });
});

test('unverified values from the registration are shown as not verified, with a link to verify them', async () => {
  await show('', {
    'GET /wps/member/security': {
      ...unprotected,
      unprovedMobile: '912345678',
      unprovedDialingCode: '84',
      unprovedEmail: 'minh@example.com',
    },
  });
  const mobile = await screen.findByRole('button', { name: /^Mobile number/ });
  expect(mobile.textContent).toBe('Mobile number+84 912345678Not verifiedVerify');
  expect(screen.getByRole('button', { name: /^E-mail/ }).textContent).toBe(
    'E-mailminh@example.comNot verifiedVerify',
  );
  await userEvent.click(mobile);
  expect(await screen.findByRole('dialog', { name: 'Verify the mobile number' })).toBeVisible();
});

test('a verified number hides the unverified one', async () => {
  const security = { ...unprotected, mobile: '+84******678', unprovedMobile: '912345678' };
  await show('', { 'GET /wps/member/security': security });
  const row = await screen.findByRole('button', { name: /^Mobile number/ });
  expect(row.textContent).toBe('Mobile number+84******678');
});

test('unverified values from the registration are filled in', async () => {
  const typed = { unprovedMobile: '912345678', unprovedDialingCode: '84' };
  const mobile = await show('mobile', { 'GET /wps/member/security': { ...unprotected, ...typed } });
  expect((await input('mobileNum')).value).toBe('912345678');
  mobile.unmount();
  const unprovedEmail = 'minh@example.com';
  await show('email', { 'GET /wps/member/security': { ...unprotected, unprovedEmail } });
  expect((await input('email')).value).toBe(unprovedEmail);
});

test('failed loads can be retried', async () => {
  let fails = true;
  const failing = (good: unknown) => () => (fails ? new Failing(503, 'system.unavailable') : good);
  await show('', {
    'GET /wps/member/security': failing(unprotected),
    'GET /wps/session/list': failing([thisDevice]),
  });
  expect(document.querySelectorAll('[aria-busy=true]')).toHaveLength(2);
  const failed = () => screen.queryAllByRole('button', { name: /Load failed/ });
  await expect.poll(() => failed().length).toBe(2);
  const retries = failed();
  fails = false;
  for (const retry of retries) {
    // oxlint-disable-next-line no-await-in-loop -- one tap after another
    await userEvent.click(retry);
  }
  expect(await screen.findByRole('button', { name: /^E-mail/ })).toBeVisible();
  expect(await screen.findByText('You are logged in nowhere else.')).toBeVisible();
});
