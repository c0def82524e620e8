import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { chooseLanguage, screenMessages } from '../../i18n/runtime.ts';
import { onLayer } from '../../lib/layers.ts';
import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { settings, switches } from '../../lib/testing/fixtures.ts';
import { clearScreen } from '../../lib/testing/screen.tsx';
import { bare, closed, here, input, logIn, save, show, type } from './testing.tsx';

beforeEach(logIn);

const passwordless = { ...bare, hasPassword: false };

test('without a password a recent login proves a change', async () => {
  const { asked } = await show('email', {
    'GET /wps/member/security': { ...passwordless, proof: 'fresh' },
  });
  await enter(await screen.findByLabelText('E-mail'), 'an@example.com');
  await enter(screen.getByLabelText('Verification code'), '123456');
  expect(screen.queryByLabelText('Login password')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Changes saved');
  const sent = asked.find(({ method }) => method === 'PUT');
  expect(await sent?.json()).toEqual({ email: 'an@example.com', verificationCode: '123456' });
});

test('without a password a code to what is bound proves a change', async () => {
  const { asked } = await show('payment', {
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
  const sent = asked.find(({ method }) => method === 'PUT');
  expect(await sent?.json()).toEqual({
    proofCode: '123456',
    paymentPassword: '135790',
    confirmPaymentPassword: '135790',
  });
});

test('SE-01 app side: without a password and anything bound, logging in again proves a change and leads back to its form', async () => {
  let answer: unknown = new Failing(422, 'outside.failed');
  const { asked } = await show('', {
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
  // Whoever comes back finds the form open again.
  const sent = asked.findLast(({ url }) => url.endsWith('/again'));
  expect(await sent?.json()).toEqual({ return: '/m/member/security?part=mobile' });
});

test('without a password, anything bound and a way to log in again, customer service is left', async () => {
  await show('mobile', { 'GET /wps/member/security': { ...passwordless, proof: 'login' } });
  const sheet = await screen.findByRole('dialog');
  const way = await within(sheet).findByRole('link', { name: 'Customer service' });
  expect(way.getAttribute('href')).toBe('/m/service');
});

test('where passwords cannot be changed no way leads there', async () => {
  await show('', { 'GET /wps/system/whitelabel': { flags: {}, modules: {}, promotions: {} } });
  await screen.findByText('Payment password');
  await expect.poll(() => document.querySelector('a[href="/m/changePsw"]')).toBeNull();
});

test('what is set and what is not, each with its way', async () => {
  await show('', {
    'GET /wps/member/security': {
      ...bare,
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
  expect(await screen.findByRole('dialog', { name: 'Add an e-mail address' })).toBeDefined();
});

test.each([
  ['sms', 'Mobile number', 'E-mail', 'mobile'],
  ['email', 'E-mail', 'Mobile number', 'email'],
])('without %s the %s cannot be bound', async (without, hidden, seen, part) => {
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
  await closed();
});

test('a part that was asked for by its address is not asked for again once it is closed', async () => {
  await show('email');
  await screen.findByRole('dialog');
  await expect.poll(() => onLayer()).toBe(true);
  await userEvent.keyboard('{Escape}');
  await closed();
  await expect.poll(() => location.search).toBe('');
  expect(location.pathname).toBe('/m/member/security');
  expect(onLayer()).toBe(false);

  await clearScreen();
  await show('email');
  await screen.findByRole('dialog');
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  await closed();
  await expect.poll(() => location.search).toBe('');
  expect(location.pathname).toBe('/m/member/security');
});

test('a mobile number is bound by its code and the password, without its zero', async () => {
  const { asked } = await show('mobile');
  const sheet = await screen.findByRole('dialog', { name: 'Add a mobile number' });
  const send = await within(sheet).findByRole<HTMLButtonElement>('button', { name: 'Send code' });
  expect(send.disabled).toBe(true);
  await type('mobileNum', '0912345678');
  await expect.poll(() => send.disabled).toBe(false);
  await userEvent.click(send);
  expect(await within(sheet).findByRole('button', { name: /^Again in/ })).toBeDefined();
  expect(await sentTo(asked, 'POST /wps/verification/sms')[0]?.json()).toEqual({
    mobileNum: '912345678',
    countryDialingCode: '84',
    purpose: 'bind',
  });
  await type('verificationCode', '123456');
  await type('password', 'Secret123');
  await save();
  await closed();
  expect(await screen.findByText('Changes saved')).toBeDefined();
  expect(await sentTo(asked, 'PUT /wps/member/mobile')[0]?.json()).toEqual({
    mobileNum: '912345678',
    countryDialingCode: '84',
    verificationCode: '123456',
    password: 'Secret123',
  });
  expect(sentTo(asked, 'GET /wps/member/security').length).toBeGreaterThan(1);
});

test('VA-05 security: what is wrong is said in the language that was chosen meanwhile', async () => {
  await screenMessages('security');
  await show('email');
  await type('email', 'nobody');
  await userEvent.tab();
  expect(await screen.findByText('E-mail format incorrect')).toBeDefined();
  await act(() => chooseLanguage('pt'));
  expect(await screen.findByText('Formato de e-mail incorreto')).toBeDefined();
  await act(() => chooseLanguage('en'));
});

test('a wrong code is told under its field, and what was typed stays', async () => {
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

test('nothing is sent while something is missing', async () => {
  const { asked } = await show('email');
  await input('email');
  await save();
  await expect.poll(async () => document.activeElement === (await input('email'))).toBe(true);
  expect(sentTo(asked, 'PUT /wps/member/email')).toEqual([]);
});

test('a code that cannot be sent is told above the fields', async () => {
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

test('OS-18 asked part: the question appears where the merchant has it asked, and its answer goes along', async () => {
  let answered = false;
  const { asked } = await show('email', {
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
  expect(await screen.findByText('In which town were you born?')).toBeDefined();
  const answer = await input('answer');
  expect(document.activeElement).toBe(answer);
  await type('answer', 'Hue');
  answered = true;
  await save();
  await closed();
  expect(await sentTo(asked, 'PUT /wps/member/email').at(-1)?.json()).toMatchObject({
    answer: 'Hue',
  });
});

test('OS-18 set part: a question is chosen and answered, by whoever knows the password', async () => {
  const { asked } = await show('question');
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: 'Security question' }),
    'birth_city',
  );
  await type('answer', 'Hue');
  await type('password', 'Secret123');
  await save();
  await closed();
  expect(await sentTo(asked, 'PUT /wps/member/securityQuestion')[0]?.json()).toEqual({
    question: 'birth_city',
    answer: 'Hue',
    password: 'Secret123',
  });
});

test('what was typed at registering stands in the forms that prove it', async () => {
  const typed = { unprovedMobile: '912345678', unprovedDialingCode: '84' };
  const mobile = await show('mobile', { 'GET /wps/member/security': { ...bare, ...typed } });
  expect((await input('mobileNum')).value).toBe('912345678');
  mobile.unmount();
  const unprovedEmail = 'minh@example.com';
  await show('email', { 'GET /wps/member/security': { ...bare, unprovedEmail } });
  expect((await input('email')).value).toBe(unprovedEmail);
});

test('loading, and failures that can be tried again', async () => {
  let fails = true;
  const failing = (good: unknown) => () => (fails ? new Failing(503, 'system.unavailable') : good);
  await show('', {
    'GET /wps/member/security': failing(bare),
    'GET /wps/session/list': failing([here]),
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
  expect(await screen.findByRole('button', { name: /^E-mail/ })).toBeDefined();
  expect(await screen.findByText('You are logged in nowhere else.')).toBeDefined();
});
