import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { storedTicket, storeTicket } from '../../api/external-login.ts';
import { currentSession, openSession } from '../../api/session.ts';
import { navigate } from '../../lib/router.tsx';
import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { settings, switches } from '../../lib/testing/fixtures.ts';
import { flushEventLoop } from '../../lib/testing/time.ts';
import { passWidget } from '../../lib/testing/widget.ts';
import {
  grant,
  type Setting,
  withSetting,
  withFields,
  resetRegistration,
  renderRegister,
  field,
  button,
  fill,
  confirmAge,
  good,
} from './testing.tsx';

beforeEach(resetRegistration);

test('the typed values stay while the agreement is read, and are discarded after the registration screens', async () => {
  withSetting();
  const { unmount } = renderRegister();
  await fill({ ...good, 'Username *': 'minhanh92' });
  await confirmAge();
  await userEvent.click(screen.getByRole('link', { name: 'user agreement' }));
  expect(location.pathname).toBe('/m/userAgreement');
  unmount();
  navigate('/m/register');
  const again = renderRegister();
  expect((await field('Username *')).value).toBe('minhanh92');
  expect((await field('Password *')).value).toBe('Secret123');
  const age = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /or older/ });
  expect(age().checked).toBe(true);
  // A new captcha needs a new answer.
  expect((await field('Captcha *')).value).toBe('');
  expect(JSON.stringify([localStorage, sessionStorage])).not.toContain('Secret123');
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  expect((await field('Username *')).value).toBe('');
  expect(age().checked).toBe(false);
  await fill({ 'Password *': 'Secret123' });
  again.unmount();
  navigate('/m/home');
  navigate('/m/register');
  renderRegister();
  expect((await field('Password *')).value).toBe('');
});

test('a field shows its rule, and so does its format error', async () => {
  withSetting(withFields({ username: { minLength: 4, maxLength: 12 } }));
  renderRegister();
  const username = await field('Username *');
  expect(await screen.findByText('A letter first, 4–12 letters or digits')).toBeVisible();
  expect(screen.getByText('8–64 characters, with letters and digits')).toBeVisible();
  await fill({ 'Username *': '9', 'Password *': 'short' });
  await userEvent.tab();
  expect(
    await screen.findByText('Account format incorrect: A letter first, 4–12 letters or digits'),
  ).toBeVisible();
  expect(
    screen.getByText('Password format incorrect: 8–64 characters, with letters and digits'),
  ).toBeVisible();
  await fill({ 'Username *': 'minhanh92' });
  await expect.poll(() => username.getAttribute('aria-describedby')).toBeNull();
});

test.each([
  ['Google', { GOOGLELOGIN3: true }, true, ['google']],
  ['Facebook', { FACEBOOKLOGIN3: true }, true, ['facebook']],
  ['both', { FACEBOOKLOGIN3: true, GOOGLELOGIN3: true }, true, ['facebook', 'google']],
  ['neither', {}, true, []],
  ['both, but not set up', { FACEBOOKLOGIN3: true, GOOGLELOGIN3: true }, false, []],
])(
  'RG-03 social part: external accounts are offered by the login’s flags: %s',
  async (_, flags, ready, offered) => {
    const requests = withSetting(
      {},
      {
        'GET /wps/system/settings/consolidated': {
          ...settings,
          signIn: { google: ready, facebook: ready, sms: false, firebase: null },
        },
        'GET /wps/system/whitelabel': { ...switches, flags },
      },
    );
    renderRegister();
    await field('Username *');
    await expect.poll(() => sentTo(requests, '/wps/system/whitelabel').length).toBe(1);
    await act(() => flushEventLoop());
    const links = () => screen.queryAllByRole('link', { name: /account$/ });
    await expect.poll(() => links().length).toBe(offered.length);
    expect(links().map((link) => link.getAttribute('href'))).toEqual(
      offered.map((service) => `/wps/session/outside/${service}/start?return=%2Fm%2Fhome`),
    );
  },
);

test('a visitor with an external account only confirms age and agreement', async () => {
  const answers = [() => Promise.reject(new TypeError('gone')), () => Promise.resolve(grant)];
  const requests = withSetting({}, { 'POST /wps/session/login': () => answers.shift()?.() });
  storeTicket('ticket-2');
  renderRegister();
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: /user agreement/ });
  expect(box.checked).toBe(false);
  expect(button().disabled).toBe(true);
  expect(screen.queryByLabelText('Username *')).toBeNull();
  await userEvent.click(box);
  await userEvent.click(button());
  expect(await screen.findByText(/Please confirm that you are/)).toBeVisible();
  expect(sentTo(requests, '/wps/session/login')).toHaveLength(0);
  await confirmAge();
  await userEvent.click(button());
  expect(await screen.findByText(/network/i)).toBeVisible();
  expect(storedTicket()).toBe('ticket-2');
  await userEvent.click(button());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await sentTo(requests, '/wps/session/login')[1]?.json()).toEqual({
    type: 'outside',
    ticket: 'ticket-2',
    agreement: true,
    ageConfirmed: true,
  });
  expect(storedTicket()).toBeNull();
  // PP-05: the toast offers limits here too.
  expect(await screen.findByRole('button', { name: 'Set limits' })).toBeVisible();
});

test('an expired ticket shows an error and leads to the form', async () => {
  withSetting({}, { 'POST /wps/session/login': new Failing(422, 'outside.failed') });
  storeTicket('ticket-2');
  renderRegister();
  await userEvent.click(await screen.findByRole('checkbox', { name: /user agreement/ }));
  await confirmAge();
  await userEvent.click(button());
  expect(await screen.findByText(/That way of logging in did not work/)).toBeVisible();
  await field('Username *');
  expect(storedTicket()).toBeNull();
});

test('VA-02 registration part, ER-05 in_vwrite_code: a shown captcha must be filled in before a code is sent', async () => {
  const requests = withSetting({}, { 'POST /wps/verification/sms/noLogin': { expiredMinutes: 1 } });
  renderRegister();
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  await fill({ 'Mobile number *': '0944444444' });
  const send = screen.getByRole('button', { name: 'Send code' });
  await userEvent.click(send);
  expect(await screen.findByText('Enter the captcha to get a code')).toBeVisible();
  const captcha = await field('Captcha *');
  expect(document.activeElement).toBe(captcha);
  expect(captcha.getAttribute('aria-invalid')).toBe('true');
  expect(sentTo(requests, '/wps/verification/sms/noLogin')).toHaveLength(0);
  await fill({ 'Captcha *': '123456' });
  await userEvent.click(send);
  await screen.findByRole('button', { name: /Again in/ });
  const [sent] = sentTo(requests, '/wps/verification/sms/noLogin');
  expect(await sent?.json()).toMatchObject({ captcha: '123456', mobileNum: '944444444' });
});

test('after many codes the next one needs a captcha, although registering does not', async () => {
  const answers = [new Failing(422, 'captcha.required'), { expiredMinutes: 5 }];
  const requests = withSetting(
    { ...withFields({ captcha: { enabled: false } }), captcha: false },
    { 'POST /wps/verification/sms/noLogin': () => Promise.resolve(answers.shift()) },
  );
  renderRegister();
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  await fill({ 'Mobile number *': '+84 987-654.321' });
  expect(screen.queryByLabelText('Captcha')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
  const captcha = await screen.findByLabelText('Captcha');
  expect(document.activeElement).toBe(captcha);
  expect(captcha.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getAllByText('Enter a captcha')).toHaveLength(1);
  await fill({ Captcha: '123456' });
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
  await screen.findByRole('button', { name: /Again in/ });
  const sent = sentTo(requests, '/wps/verification/sms/noLogin');
  expect(await sent[1]?.json()).toMatchObject({ captcha: '123456', mobileNum: '987654321' });
  expect(screen.queryByLabelText('Captcha')).toBeNull();
  await fill({
    'Verification code *': '123456',
    'Password *': 'Secret123',
    'Confirm password *': 'Secret123',
  });
  await confirmAge();
  await userEvent.click(button());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await sentTo(requests, '/wps/member/register/mobile')[0]?.json()).not.toHaveProperty(
    'captcha',
  );
});

test('registering from a trial ends the trial session and forgets its name', async () => {
  openSession({ ...grant, token: 'trial-1', type: 4 }, 'fairground');
  sessionStorage.setItem('trialName', 'guest123');
  const requests = withSetting({}, { 'DELETE /wps/session/logout': {} });
  renderRegister();
  await fill(good);
  await confirmAge();
  await userEvent.click(button());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  await expect.poll(() => sentTo(requests, '/wps/session/logout').length).toBe(1);
  expect(sentTo(requests, '/wps/session/logout')[0]?.headers.get('Authorization')).toBe('trial-1');
  expect(sessionStorage.getItem('trialName')).toBeNull();
});

test('RG-09 with an external phone proof, its token is sent with the registration', async () => {
  const answers = [new Failing(429, 'rate.limited'), grant];
  const requests = withSetting(
    {
      ...withFields({ captcha: { enabled: false } }),
      captcha: false,
      mobileVerification: 'firebase',
      firebase: {
        apiKey: 'key-1',
        apiUrl: 'https://codes.example',
        script: 'https://person.example/api.js',
      },
    } as unknown as Partial<Setting>,
    {
      'GET /v1/recaptchaParams': () => Response.json({ recaptchaSiteKey: 'site-1' }),
      'POST /v1/accounts:sendVerificationCode': () => Response.json({ sessionInfo: 'session-1' }),
      'POST /v1/accounts:signInWithPhoneNumber': () => Response.json({ idToken: 'id-token-1' }),
      'PUT /wps/member/register/mobile': () => Promise.resolve(answers.shift()),
    },
  );
  renderRegister();
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  await fill({ 'Mobile number *': '0912345678' });
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
  await passWidget('a person');
  // The wait is one minute, not the five of this server's codes.
  await screen.findByRole('button', { name: /Again in (?:1:00|0:\d\d)/ });
  await fill({
    'Verification code *': '123456',
    'Password *': 'Secret123',
    'Confirm password *': 'Secret123',
  });
  await confirmAge();
  await userEvent.click(button());
  await screen.findByText(/Too many attempts/);
  await userEvent.click(button());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  const sent = sentTo(requests, '/wps/member/register/mobile');
  expect(await sent[1]?.json()).toMatchObject({
    mobileNum: '912345678',
    firebaseChannel: 'sms',
    firebaseIdToken: 'id-token-1',
  });
  expect(await sent[0]?.json()).not.toHaveProperty('verificationCode');
  // A code works once; the second attempt reuses its token.
  expect(sentTo(requests, '/v1/accounts:signInWithPhoneNumber')).toHaveLength(1);
});
