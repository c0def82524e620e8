import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { clearTicket, storeTicket } from '../../api/external-login.ts';
import { sessionPassword } from '../../api/remembered-login.ts';
import { currentSession, watchOtherTabs } from '../../api/session.ts';
import { chooseLanguage, loadScreenMessages } from '../../i18n/runtime.ts';
import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { toast } from '../../ui/toastStore.ts';
import {
  served,
  withSetting,
  withFields,
  resetRegistration,
  renderRegister,
  field,
  button,
  fill,
  confirmAge,
  good,
  grant,
} from './testing.tsx';

beforeEach(resetRegistration);

test('RG-07 login part: a username registers a member, who is logged in and welcomed', async () => {
  const requests = withSetting();
  renderRegister();
  await fill({ ...good, 'Username *': ' minhanh92 ' });
  await confirmAge();
  await userEvent.click(button());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(currentSession()?.merchantCode).toBe('fairground');
  expect(await screen.findByText('Welcome, minhanh92!')).toBeVisible();
  expect(sessionPassword()).toBe('Secret123');
  expect(await sentTo(requests, '/wps/member/register')[0]?.json()).toEqual({
    username: 'minhanh92',
    password: 'Secret123',
    confirmPassword: 'Secret123',
    captcha: '123456',
    agreement: true,
    ageConfirmed: true,
    normalRegister: true,
    moduleId: 'REG3',
    registerMethod: 'H5',
    registerUrl: 'localhost',
    domain: 'localhost',
    type: 0,
  });
});

test('PP-05 offered part: limits are offered after the registration', async () => {
  withSetting();
  renderRegister();
  await fill(good);
  await confirmAge();
  await userEvent.click(button());
  await userEvent.click(await screen.findByRole('button', { name: 'Set limits' }));
  expect(location.pathname).toBe('/m/member/limits');
});

test('full storage: the new member is logged in and stays so on the next screen', async () => {
  withSetting();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  renderRegister();
  await fill(good);
  await confirmAge();
  await userEvent.click(button());
  expect(await screen.findByText('Welcome, minhanh92!')).toBeVisible();
  expect(localStorage.getItem('token')).toBeNull();
  expect(currentSession()).toMatchObject({ token: 'token-1', userName: 'minhanh92' });
});

test('two tabs: a login in another tab leaves this screen', async () => {
  withSetting();
  const stop = watchOtherTabs();
  renderRegister();
  await fill({ 'Username *': 'minhanh92' });
  for (const [key, value] of Object.entries({ ...grant, merchantCode: 'fairground' }))
    localStorage.setItem(key, String(value));
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'token' })));
  await expect.poll(() => location.pathname).toBe('/m/home');
  stop();
});

test('RG-01 username comes first, mobile alone if it is the only method, and the number stays', async () => {
  withSetting();
  const { unmount } = renderRegister();
  await field('Username *');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Username' }).checked).toBe(true);
  const number = screen.getByLabelText('Mobile number', { selector: '[name=mobileNum]' });
  await userEvent.type(number, '0912345678');
  await userEvent.click(screen.getByRole('radio', { name: 'Mobile number' }));
  expect((await field('Mobile number *')).value).toBe('0912345678');
  expect(screen.queryByLabelText('Username *')).toBeNull();
  unmount();
  withSetting({ methods: ['mobile'] });
  renderRegister();
  await field('Mobile number *');
  expect(screen.queryByRole('radio')).toBeNull();
  expect(screen.queryByLabelText('Username *')).toBeNull();
});

test('RG-02 fields, order, required flags, patterns and messages come from the server; each field works', async () => {
  const on = { enabled: true, requiredIn: ['username'] };
  const every = Object.fromEntries(served.fields.map(({ name }) => [name, on]));
  withSetting(
    withFields({
      ...every,
      zalo: { ...on, order: 1, rules: [{ pattern: '^z', message: 'member.contact_format' }] },
      verificationCode: { ...on, methods: ['mobile'] },
    }),
  );
  renderRegister();
  const first = await field('Zalo *');
  const labels = [
    ...document.querySelectorAll('form input[name]:not([type=radio], [type=checkbox])'),
  ];
  expect(labels[0]).toBe(first);
  expect(labels.map((input) => input.getAttribute('name'))).toEqual([
    'zalo',
    ...served.fields
      .map(({ name }) => name)
      .filter((name) => name !== 'zalo' && name !== 'verificationCode'),
  ]);
  await userEvent.type(first, 'abc');
  await userEvent.click(button());
  expect(await screen.findByText(/^This contact is not valid: \S/)).toBeVisible();
  expect(document.activeElement).toBe(first);
  expect(screen.getAllByText('This field is required').length).toBeGreaterThan(5);
});

test.each([true, false])(
  'RG-03 the form’s own part, checks on: %s: captcha image, slider challenge, register, reset, languages',
  async (on) => {
    withSetting({
      captcha: on,
      ...withFields({ captcha: { enabled: on } }),
      slider: { ...served.slider, register: on },
    });
    const { container } = renderRegister();
    await field('Username *');
    const picture = () => container.querySelector('button img')?.getAttribute('src');
    await expect.poll(picture).toBe(on ? 'data:image/png;base64,AAAA' : undefined);
    expect(screen.queryAllByText('Tap to open, it takes a few seconds')).toHaveLength(on ? 1 : 0);
    expect(button().getAttribute('type')).toBe('submit');
    expect(screen.getByRole('button', { name: 'Reset' }).getAttribute('type')).toBe('button');
    const languages = within(await screen.findByRole('combobox', { name: 'Language' }));
    expect(languages.getAllByRole('option').length).toBeGreaterThan(1);
  },
);

test('RG-04 VA-01 an optional empty field passes; the confirmation follows the password', async () => {
  withSetting();
  renderRegister();
  await fill(good);
  await userEvent.tab();
  expect(screen.queryByText('Confirmation password not matched')).toBeNull();
  await fill({ 'Password *': 'Other1234' });
  expect(await screen.findByText('Confirmation password not matched')).toBeVisible();
  await userEvent.clear(await field('Confirm password *'));
  expect(await screen.findByText('Enter password')).toBeVisible();
  const optional = await field('Invitation code');
  await userEvent.click(optional);
  await userEvent.tab();
  expect(optional.getAttribute('aria-invalid')).toBeNull();
});

test('RG-05 an unknown invitation code shows an error for one second and takes the focus', async () => {
  const requests = withSetting({}, { 'GET /wps/agent/affiliate': { success: false } });
  renderRegister();
  await fill({ ...good, 'Invitation code': 'nobody1' });
  await confirmAge();
  const error = vi.spyOn(toast, 'error');
  await userEvent.click(button());
  await expect.poll(() => error.mock.calls).toEqual([['Invalid invitation code', { seconds: 1 }]]);
  expect(document.activeElement).toBe(await field('Invitation code'));
  expect(sentTo(requests, '/wps/member/register')).toHaveLength(0);
});

test.each([
  ['alone', {}],
  ['with a valid invitation code', { 'Invitation code': 'agent88' }],
])('RG-05 an unknown recommender %s shows the same error', async (_, otherCode) => {
  const requests = withSetting(withFields({ recommenderId: { enabled: true } }), {
    'GET /wps/agent/affiliate': ({ url }: Request) => ({
      success: new URL(url).searchParams.get('code') === 'agent88',
    }),
  });
  renderRegister();
  await fill({ ...good, ...otherCode, Recommender: 'nobody1' });
  await confirmAge();
  const error = vi.spyOn(toast, 'error');
  await userEvent.click(button());
  await expect.poll(() => error.mock.calls).toEqual([['Invalid invitation code', { seconds: 1 }]]);
  expect(document.activeElement).toBe(await field('Recommender'));
  expect(sentTo(requests, '/wps/member/register')).toHaveLength(0);
});

test('RG-06 PP-08 the agreement is checked by default and required; the age has a separate box, unchecked by default', async () => {
  const requests = withSetting({ ageLimit: 21 });
  renderRegister();
  await fill(good);
  const agreement = screen.getByRole<HTMLInputElement>('checkbox', { name: /user agreement/ });
  const age = screen.getByRole<HTMLInputElement>('checkbox', { name: 'I am 21 or older.' });
  expect([agreement.checked, age.checked, button().disabled]).toEqual([true, false, false]);
  await userEvent.click(agreement);
  expect(button().disabled).toBe(true);
  await userEvent.click(agreement);

  await userEvent.click(button());
  const missing = await screen.findByText('Please confirm that you are 21 or older');
  expect(missing.id).toBe(age.getAttribute('aria-describedby'));
  expect(document.activeElement).toBe(age);
  expect(sentTo(requests, '/wps/member/register')).toHaveLength(0);
  await userEvent.click(age);
  expect(screen.queryByText('Please confirm that you are 21 or older')).toBeNull();
  await userEvent.click(button());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await sentTo(requests, '/wps/member/register')[0]?.json()).toMatchObject({
    agreement: true,
    ageConfirmed: true,
  });
});

test('RG-07 captcha part: a failure keeps the values, loads a new captcha, and shows the error under its field', async () => {
  const requests = withSetting(
    {},
    { 'PUT /wps/member/register': new Failing(422, 'captcha.incorrect') },
  );
  renderRegister();
  await fill(good);
  await confirmAge();
  await userEvent.click(button());
  const captcha = await field('Captcha *');
  expect((await screen.findByText('Captcha incorrect')).id).toBe(
    captcha.getAttribute('aria-describedby'),
  );
  expect(captcha.value).toBe('');
  expect((await field('Username *')).value).toBe('minhanh92');
  await expect.poll(() => sentTo(requests, '/wps/captcha').length).toBe(2);
  expect(currentSession()).toBeNull();
});

test('RG-11, RG-07 challenge part: the slider comes before each request, and again after a failure', async () => {
  let passes = 0;
  const requests = withSetting(
    { slider: { ...served.slider, register: true } },
    {
      'GET /wps/captcha/slider': {
        id: 'p1',
        background: 'data:b',
        piece: 'data:p',
        width: 320,
        height: 180,
        pieceWidth: 56,
        pieceHeight: 56,
        pieceY: 60,
        expiresIn: 60,
      },
      'POST /wps/captcha/slider': () => ({ pass: `pass-${(passes += 1)}`, expiresIn: 300 }),
      'PUT /wps/member/register': new Failing(409, 'member.username_taken', { field: 'username' }),
    },
  );
  renderRegister();
  await fill(good);
  await confirmAge();
  await userEvent.click(button());
  (await screen.findByRole('slider')).focus();
  expect(sentTo(requests, '/wps/member/register')).toHaveLength(0);
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await expect.poll(() => sentTo(requests, '/wps/member/register').length).toBe(1);
  expect(await sentTo(requests, '/wps/member/register')[0]?.json()).toMatchObject({
    challenge: 'pass-1',
  });
  expect(await screen.findByText('Username already exists')).toBeVisible();
  expect(await screen.findByText('Tap to open, it takes a few seconds')).toBeVisible();
  await fill({ 'Username *': 'minhanh93', 'Captcha *': '654321' });
  await userEvent.click(button());
  (await screen.findByRole('slider')).focus();
  expect(sentTo(requests, '/wps/member/register')).toHaveLength(1);
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await expect.poll(() => sentTo(requests, '/wps/member/register').length).toBe(2);
  expect(await sentTo(requests, '/wps/member/register')[1]?.json()).toMatchObject({
    challenge: 'pass-2',
    captcha: '654321',
  });
  expect(currentSession()).toBeNull();
});

test('a taken username shows an error when the field loses focus', async () => {
  withSetting({}, { 'GET /wps/check/username': { available: false } });
  renderRegister();
  await fill({ 'Username *': 'demo8888' });
  await userEvent.tab();
  expect(await screen.findByText('Username already exists')).toBeVisible();
  await fill({ 'Username *': 'demo88889' });
  expect(screen.queryByText('Username already exists')).toBeNull();
});

test('VA-03 a code is sent only to a valid number, without its zero', async () => {
  const requests = withSetting(
    { captcha: false, ...withFields({ captcha: { enabled: false } }) },
    {
      'POST /wps/verification/sms/noLogin': {
        expiredMinutes: 5,
        expirationTime: Date.now() + 300_000,
      },
    },
  );
  renderRegister();
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send code' });
  expect(send.disabled).toBe(true);
  await fill({ 'Mobile number *': '0912' });
  expect(send.disabled).toBe(true);
  await fill({ 'Mobile number *': '0912345678' });
  await expect.poll(() => send.disabled).toBe(false);
  await userEvent.click(send);
  expect(await screen.findByRole('button', { name: /^Again in [45]:/ })).toBeVisible();
  const [code] = sentTo(requests, '/wps/verification/sms/noLogin');
  expect(await code?.json()).toEqual({
    mobileNum: '912345678',
    countryDialingCode: '84',
    purpose: 'register',
  });
  expect(code?.headers.get('ModuleId')).toBe('REGMOBVERF3');
  await fill({
    'Verification code *': '654321',
    'Password *': 'Secret123',
    'Confirm password *': 'Secret123',
  });
  await confirmAge();
  await userEvent.click(button());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await sentTo(requests, '/wps/member/register/mobile')[0]?.json()).toMatchObject({
    mobileNum: '912345678',
    countryDialingCode: '84',
    verificationCode: '654321',
    moduleId: 'MOBILENUMREG3',
  });
});

test('VA-05 registration: several errors are joined by commas, and follow the language 200 ms later', async () => {
  await loadScreenMessages('register');
  withSetting(
    withFields({
      username: {
        rules: [
          { min: 6, message: 'validation.min' },
          { pattern: '^[a-z]+$', message: 'validation.pattern' },
        ],
      },
    }),
  );
  renderRegister();
  await fill({ 'Username *': 'Ab1' });
  await userEvent.tab();
  const both = 'Must have at least 6 characters, The format is not correct';
  const input = await field('Username *');
  const note = () =>
    document.querySelector(`#${CSS.escape(input.getAttribute('aria-describedby') ?? 'x')}`);
  await expect.poll(() => note()?.textContent).toBe(both);
  await act(() => chooseLanguage('pt'));
  expect(note()?.textContent).toBe(both);
  await expect
    .poll(() => note()?.textContent)
    .toBe('Deve ter pelo menos 6 caracteres, O formato não está correto');
  await act(() => chooseLanguage('vi'));
});

test('reset clears the values and the errors', async () => {
  withSetting();
  renderRegister();
  await fill({ 'Username *': 'x' });
  await userEvent.click(button());
  expect(await screen.findByText(/Account format incorrect/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  expect((await field('Username *')).value).toBe('');
  expect(screen.queryByText(/Account format incorrect/)).toBeNull();
});

test('loading, closed and failed states', async () => {
  withSetting({ methods: [] });
  const closed = renderRegister();
  expect(closed.container.querySelector('[aria-busy=true]')).not.toBeNull();
  expect(await screen.findByText('Registration is closed')).toBeVisible();
  closed.unmount();
  // A ticket does not open a closed registration.
  storeTicket('ticket-1');
  const external = renderRegister();
  expect(await screen.findByText('Registration is closed')).toBeVisible();
  external.unmount();
  clearTicket();

  withSetting({}, { 'GET /wps/system/setting/register': new Failing(503, 'system.unavailable') });
  const failed = renderRegister();
  expect(await screen.findByRole('alert')).toBeVisible();
  failed.unmount();

  withSetting({}, { 'PUT /wps/member/register': new Failing(403, 'register.closed') });
  renderRegister();
  await fill(good);
  await confirmAge();
  await userEvent.click(button());
  const form = document.querySelector('form')!;
  expect(await within(form).findByText('Registration is not open in this way')).toBeVisible();
});
