import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import vector from '../../../../internal/platform/jwe/testdata/vector.json';
import { recall } from '../../api/remembered-login.ts';
import { currentSession } from '../../api/session.ts';
import { Failing } from '../../lib/testing/answers.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { passWidget } from '../../lib/testing/widget.ts';
import { LoginForm } from './LoginForm.tsx';
import { begin, box, grant, login, loginCall, logins, setting, site, type } from './testing.ts';

beforeEach(begin);

const codes = {
  apiKey: 'key-1',
  apiUrl: 'https://codes.example',
  script: 'https://person.example/api.js',
};
const firebase = { google: false, facebook: false, sms: true, firebase: { project: 'p', codes } };

test('LG-06 Geetest takes the place of the puzzle where the merchant has it, and its proof goes with the login', async () => {
  const slider = {
    login: true,
    register: false,
    provider: 'geetest',
    geetestId: 'id-1',
    script: 'https://captcha.example/gt4.js',
  };
  const asked = site({
    'GET /wps/system/setting/register': { ...setting, slider },
    [loginCall]: grant,
  });
  renderScreen(<LoginForm />);
  await screen.findByText('Slider check');
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  await passWidget('{"lot_number":"1"}');
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await logins(asked)[0]?.json()).toMatchObject({ challenge: '{"lot_number":"1"}' });
  expect(asked.some(({ url }) => url.includes('/wps/captcha/slider'))).toBe(false);
});

test('CA-20 LG-02 ST-03 external part: where Firebase proves numbers, its token logs in, and another code waits a minute', async () => {
  const tokens = [
    () => Response.json({ error: { message: 'INVALID_CODE' } }, { status: 400 }),
    () => Response.json({ idToken: 'id-token-1' }),
  ];
  const answers = [new Failing(429, 'rate.limited'), grant];
  const asked = site(
    {
      'GET /v1/recaptchaParams': () => Response.json({ recaptchaSiteKey: 'site-1' }),
      'POST /v1/accounts:sendVerificationCode': () => Response.json({ sessionInfo: 's-1' }),
      'POST /v1/accounts:signInWithPhoneNumber': () => tokens.shift()?.(),
      [loginCall]: () => answers.shift(),
    },
    { signIn: firebase },
  );
  renderScreen(<LoginForm />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  await userEvent.type(
    screen.getByLabelText('Mobile number', { selector: '[name=mobileNum]' }),
    '0912345678',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
  await passWidget('a person');
  await screen.findByRole('button', { name: /Again in (?:1:00|0:\d\d)/ });
  await userEvent.type(screen.getByLabelText('Verification code'), '123456');
  await userEvent.click(box());
  await userEvent.click(login());
  // Firebase itself refuses the code: nothing is sent here.
  expect(await screen.findByText('Verification code incorrect')).toBeDefined();
  expect(logins(asked)).toHaveLength(0);
  await userEvent.clear(screen.getByLabelText('Verification code'));
  await userEvent.type(screen.getByLabelText('Verification code'), '314159');
  await userEvent.click(login());
  await screen.findByText(/Too many attempts/);
  await userEvent.click(login());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await logins(asked)[1]?.json()).toEqual({
    type: 'firebase',
    firebaseChannel: 'sms',
    firebaseIdToken: 'id-token-1',
    firebaseMobileNo: '912345678',
    countryDialingCode: '84',
  });
  expect(asked.some(({ url }) => url.includes('/sms/noLogin'))).toBe(false);
  await expect.poll(recall).toMatchObject({ type: 'sms', username: '912345678', password: '' });
});

test('a sheet that is closed asks for no code, and says nothing', async () => {
  const asked = site(
    { 'GET /v1/recaptchaParams': () => Response.json({ recaptchaSiteKey: 'site-1' }) },
    { signIn: firebase },
  );
  renderScreen(<LoginForm />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  await userEvent.type(
    screen.getByLabelText('Mobile number', { selector: '[name=mobileNum]' }),
    '0987654321',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }));
  await screen.findByRole('button', { name: 'Send code' });
  expect(screen.getByRole('alert').textContent).toBe('');
  expect(asked.some(({ url }) => url.includes('sendVerificationCode'))).toBe(false);
});

test('CA-01 where the merchant asks for it the login goes encrypted, by a key that is there before it', async () => {
  const key = { ...vector.recipient, d: undefined, alg: 'ECDH-ES', use: 'enc' };
  const asked = site({
    'GET /wps/system/setting/register': { ...setting, loginEncrypted: true },
    'GET /wps/session/key': key,
    [loginCall]: grant,
  });
  renderScreen(<LoginForm />);
  const keys = () => asked.filter(({ url }) => url.endsWith('/wps/session/key'));
  await expect.poll(() => keys().length).toBe(1);
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  const sent = logins(asked)[0];
  expect(sent?.headers.get('Encryption')).toBe('jwe');
  expect(await sent?.json()).toEqual({ data: expect.stringMatching(/^[\w-]+\.\.[\w.-]+$/) });
  expect(keys()).toHaveLength(1);
});
