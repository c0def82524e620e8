import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { storedTicket, storeTicket } from '../../api/external-login.ts';
import { currentSession, openSession } from '../../api/session.ts';
import { navigate } from '../../lib/router.tsx';
import { Failing, sentTo } from '../../lib/testing/answers.ts';
import { settings, switches } from '../../lib/testing/fixtures.ts';
import { turns } from '../../lib/testing/time.ts';
import { passWidget } from '../../lib/testing/widget.ts';
import {
  grant,
  type Setting,
  withSetting,
  withFields,
  begin,
  show,
  field,
  button,
  fill,
  confirmAge,
  good,
} from './testing.tsx';

beforeEach(begin);

test('what is typed stays while the agreement is read, passwords too, and goes with the flow', async () => {
  withSetting();
  const { unmount } = show();
  await fill({ ...good, 'Username *': 'minhanh92' });
  await confirmAge();
  await userEvent.click(screen.getByRole('link', { name: 'user agreement' }));
  expect(location.pathname).toBe('/m/userAgreement');
  unmount();
  navigate('/m/register');
  const again = show();
  expect((await field('Username *')).value).toBe('minhanh92');
  expect((await field('Password *')).value).toBe('Secret123');
  const age = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /or older/ });
  expect(age().checked).toBe(true);
  // Another picture is another answer.
  expect((await field('Captcha *')).value).toBe('');
  expect(JSON.stringify([localStorage, sessionStorage])).not.toContain('Secret123');
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  expect((await field('Username *')).value).toBe('');
  expect(age().checked).toBe(false);
  await fill({ 'Password *': 'Secret123' });
  again.unmount();
  navigate('/m/home');
  navigate('/m/register');
  show();
  expect((await field('Password *')).value).toBe('');
});

test('a field says by its bounds what it takes, and a wrong form never stands alone', async () => {
  withSetting(withFields({ username: { minLength: 4, maxLength: 12 } }));
  show();
  const username = await field('Username *');
  expect(await screen.findByText('A letter first, 4–12 letters or digits')).toBeDefined();
  expect(screen.getByText('8–64 characters, with letters and digits')).toBeDefined();
  await fill({ 'Username *': '9', 'Password *': 'short' });
  await userEvent.tab();
  expect(
    await screen.findByText('Account format incorrect: A letter first, 4–12 letters or digits'),
  ).toBeDefined();
  expect(
    screen.getByText('Password format incorrect: 8–64 characters, with letters and digits'),
  ).toBeDefined();
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
  'RG-03 social part: accounts elsewhere are offered under the login’s flags: %s',
  async (_, flags, ready, offered) => {
    const asked = withSetting(
      {},
      {
        'GET /wps/system/settings/consolidated': {
          ...settings,
          signIn: { google: ready, facebook: ready, sms: false, firebase: null },
        },
        'GET /wps/system/whitelabel': { ...switches, flags },
      },
    );
    show();
    await field('Username *');
    await expect.poll(() => sentTo(asked, '/wps/system/whitelabel').length).toBe(1);
    await act(() => turns());
    const links = () => screen.queryAllByRole('link', { name: /account$/ });
    await expect.poll(() => links().length).toBe(offered.length);
    expect(links().map((link) => link.getAttribute('href'))).toEqual(
      offered.map((service) => `/wps/session/outside/${service}/start?return=%2Fm%2Fhome`),
    );
  },
);

test('whoever another service knows only agrees, and is a member', async () => {
  const answers = [() => Promise.reject(new TypeError('gone')), () => Promise.resolve(grant)];
  const asked = withSetting({}, { 'POST /wps/session/login': () => answers.shift()?.() });
  storeTicket('ticket-2');
  show();
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: /user agreement/ });
  expect(box.checked).toBe(false);
  expect(button().disabled).toBe(true);
  expect(screen.queryByLabelText('Username *')).toBeNull();
  await userEvent.click(box);
  await userEvent.click(button());
  expect(await screen.findByText(/Please confirm that you are/)).toBeDefined();
  expect(sentTo(asked, '/wps/session/login')).toHaveLength(0);
  await confirmAge();
  await userEvent.click(button());
  expect(await screen.findByText(/network/i)).toBeDefined();
  expect(storedTicket()).toBe('ticket-2');
  await userEvent.click(button());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await sentTo(asked, '/wps/session/login')[1]?.json()).toEqual({
    type: 'outside',
    ticket: 'ticket-2',
    agreement: true,
    ageConfirmed: true,
  });
  expect(storedTicket()).toBeNull();
  // PP-05: limits are offered to them as to whoever fills in the form.
  expect(await screen.findByRole('button', { name: 'Set limits' })).toBeDefined();
});

test('a ticket that has run out is told, and leaves the form', async () => {
  withSetting({}, { 'POST /wps/session/login': new Failing(422, 'outside.failed') });
  storeTicket('ticket-2');
  show();
  await userEvent.click(await screen.findByRole('checkbox', { name: /user agreement/ }));
  await confirmAge();
  await userEvent.click(button());
  expect(await screen.findByText(/That way of logging in did not work/)).toBeDefined();
  await field('Username *');
  expect(storedTicket()).toBeNull();
});

test('where many codes were asked for, the next one needs a captcha though registering does not', async () => {
  const answers = [new Failing(422, 'captcha.required'), { expiredMinutes: 5 }];
  const asked = withSetting(
    { ...withFields({ captcha: { enabled: false } }), captcha: false },
    { 'POST /wps/verification/sms/noLogin': () => Promise.resolve(answers.shift()) },
  );
  show();
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
  const sent = sentTo(asked, '/wps/verification/sms/noLogin');
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
  expect(await sentTo(asked, '/wps/member/register/mobile')[0]?.json()).not.toHaveProperty(
    'captcha',
  );
});

test('a trial becomes a membership: its session ends on the server, its name is forgotten', async () => {
  openSession({ ...grant, token: 'trial-1', type: 4 }, 'fairground');
  sessionStorage.setItem('trialName', 'guest123');
  const asked = withSetting({}, { 'DELETE /wps/session/logout': {} });
  show();
  await fill(good);
  await confirmAge();
  await userEvent.click(button());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  await expect.poll(() => sentTo(asked, '/wps/session/logout').length).toBe(1);
  expect(sentTo(asked, '/wps/session/logout')[0]?.headers.get('Authorization')).toBe('trial-1');
  expect(sessionStorage.getItem('trialName')).toBeNull();
});

test('RG-09 where another service proves numbers, its code and its token go with the registration', async () => {
  const answers = [new Failing(429, 'rate.limited'), grant];
  const asked = withSetting(
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
  show();
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  await fill({ 'Mobile number *': '0912345678' });
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
  await passWidget('a person');
  // A minute at most, and not the five of this server's own codes.
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
  const sent = sentTo(asked, '/wps/member/register/mobile');
  expect(await sent[1]?.json()).toMatchObject({
    mobileNum: '912345678',
    firebaseChannel: 'sms',
    firebaseIdToken: 'id-token-1',
  });
  expect(await sent[0]?.json()).not.toHaveProperty('verificationCode');
  // A code is good once; what it was changed for serves for the second try.
  expect(sentTo(asked, '/v1/accounts:signInWithPhoneNumber')).toHaveLength(1);
});
