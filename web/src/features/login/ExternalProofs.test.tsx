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
import {
  resetLogin,
  rememberBox,
  grant,
  login,
  loginCall,
  logins,
  setting,
  withAnswers,
  type,
} from './testing.ts';

beforeEach(resetLogin);

const codes = {
  apiKey: 'key-1',
  apiUrl: 'https://codes.example',
  script: 'https://person.example/api.js',
};
const firebase = { google: false, facebook: false, sms: true, firebase: { project: 'p', codes } };

test('LG-06 Geetest replaces the puzzle where the merchant uses it, and its proof is sent with the login', async () => {
  const slider = {
    login: true,
    register: false,
    provider: 'geetest',
    geetestId: 'id-1',
    script: 'https://captcha.example/gt4.js',
  };
  const requests = withAnswers({
    'GET /wps/system/setting/register': { ...setting, slider },
    [loginCall]: grant,
  });
  renderScreen(<LoginForm />);
  await screen.findByText('Slider check');
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  await passWidget('{"lot_number":"1"}');
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await logins(requests)[0]?.json()).toMatchObject({ challenge: '{"lot_number":"1"}' });
  expect(requests.some(({ url }) => url.includes('/wps/captcha/slider'))).toBe(false);
});

test('CA-20 LG-02 ST-03 external part: a Firebase token logs in, and another code waits a minute', async () => {
  const tokens = [
    () => Response.json({ error: { message: 'INVALID_CODE' } }, { status: 400 }),
    () => Response.json({ idToken: 'id-token-1' }),
  ];
  const answers = [new Failing(429, 'rate.limited'), grant];
  const requests = withAnswers(
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
  await userEvent.click(rememberBox());
  await userEvent.click(login());
  // Firebase refuses the code, so no request reaches this server.
  expect(await screen.findByText('Verification code incorrect')).toBeVisible();
  expect(logins(requests)).toHaveLength(0);
  await userEvent.clear(screen.getByLabelText('Verification code'));
  await userEvent.type(screen.getByLabelText('Verification code'), '314159');
  await userEvent.click(login());
  await screen.findByText(/Too many attempts/);
  await userEvent.click(login());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await logins(requests)[1]?.json()).toEqual({
    type: 'firebase',
    firebaseChannel: 'sms',
    firebaseIdToken: 'id-token-1',
    firebaseMobileNo: '912345678',
    countryDialingCode: '84',
  });
  expect(requests.some(({ url }) => url.includes('/sms/noLogin'))).toBe(false);
  await expect.poll(recall).toMatchObject({ type: 'sms', username: '912345678', password: '' });
});

test('closing the human check sends no code and shows no error', async () => {
  const requests = withAnswers(
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
  expect(requests.some(({ url }) => url.includes('sendVerificationCode'))).toBe(false);
});

test('CA-01 the login is encrypted where the merchant requires it, with a key loaded in advance', async () => {
  const key = { ...vector.recipient, d: undefined, alg: 'ECDH-ES', use: 'enc' };
  const requests = withAnswers({
    'GET /wps/system/setting/register': { ...setting, loginEncrypted: true },
    'GET /wps/session/key': key,
    [loginCall]: grant,
  });
  renderScreen(<LoginForm />);
  const keys = () => requests.filter(({ url }) => url.endsWith('/wps/session/key'));
  await expect.poll(() => keys().length).toBe(1);
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  const sent = logins(requests)[0];
  expect(sent?.headers.get('Encryption')).toBe('jwe');
  expect(await sent?.json()).toEqual({ data: expect.stringMatching(/^[\w-]+\.\.[\w.-]+$/) });
  expect(keys()).toHaveLength(1);
});
