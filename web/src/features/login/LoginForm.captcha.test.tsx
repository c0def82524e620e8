import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { LoginForm } from './LoginForm.tsx';
import {
  resetLogin,
  grant,
  login,
  loginCall,
  logins,
  password,
  setting,
  withAnswers,
  type,
} from './testing.ts';

beforeEach(resetLogin);

test('a required captcha shows one error, under its field', async () => {
  answerWith({
    'POST /wps/session/login': new Failing(422, 'captcha.required'),
    'GET /wps/captcha': 'data:image/png;base64,one',
  });
  renderScreen(<LoginForm />);
  await type('demo88', 'Secret123');
  await userEvent.click(login());
  const captcha = await screen.findByLabelText<HTMLInputElement>(/Captcha/);
  await expect.poll(() => document.activeElement).toBe(captcha);
  const message = screen.getByText('Enter a captcha');
  expect(message.id).toBe(captcha.getAttribute('aria-describedby'));
  expect(screen.queryByText('Enter the captcha, then try again.')).toBeNull();
});

test('LG-05 the captcha is hidden until a failure requires it; each failure and each tap load another picture', async () => {
  const pictures = ['one', 'two', 'three'];
  const refusal = new Failing(401, 'login.incorrect', { args: { captcha: 'true' } });
  const requests = answerWith({
    'POST /wps/session/login': refusal,
    'GET /wps/captcha': () => Promise.resolve(`data:image/png;base64,${pictures.shift()}`),
  });
  renderScreen(<LoginForm />);
  expect(screen.queryByLabelText(/Captcha/)).toBeNull();
  await type('demo88', 'Wrong999');
  await userEvent.click(login());
  const captcha = await screen.findByLabelText<HTMLInputElement>(/Captcha/);
  await expect.poll(() => document.activeElement).toBe(captcha);
  const picture = screen.getByRole('button', { name: 'Another picture' });
  const shown = () => picture.querySelector('img')?.getAttribute('src');
  await expect.poll(shown).toBe('data:image/png;base64,one');

  await userEvent.click(login());
  expect((await screen.findByText('Enter a captcha')).id).toBe(
    captcha.getAttribute('aria-describedby'),
  );
  await userEvent.type(captcha, '123456');
  await userEvent.click(picture);
  await expect.poll(shown).toBe('data:image/png;base64,two');
  expect(captcha.value).toBe('');

  await userEvent.type(captcha, '654321{Enter}');
  await expect.poll(shown).toBe('data:image/png;base64,three');
  expect(captcha.value).toBe('');
  expect(password().value).toBe('Wrong999');
  expect(await logins(requests)[1]?.json()).toEqual({
    username: 'demo88',
    password: 'Wrong999',
    captcha: '654321',
    type: 'username',
  });
});

test('VA-02 login part, ER-05 in_vwrite_code: a shown captcha must be filled in before a code is sent', async () => {
  const requests = withAnswers({
    'GET /wps/system/setting/register': { ...setting, loginCaptcha: true },
    'GET /wps/captcha': 'data:image/png;base64,one',
    'POST /wps/verification/sms/noLogin': { expiredMinutes: 1 },
  });
  renderScreen(
    <>
      <LoginForm />
      <ToastViewport />
    </>,
  );
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  await userEvent.type(
    screen.getByLabelText('Mobile number', { selector: '[name=mobileNum]' }),
    '0933333333',
  );
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send code' });
  await expect.poll(() => send.disabled).toBe(false);
  await userEvent.click(send);
  expect(await screen.findByText('Enter the captcha to get a code')).toBeVisible();
  const captcha = await screen.findByLabelText<HTMLInputElement>('Captcha *');
  expect(document.activeElement).toBe(captcha);
  expect(captcha.getAttribute('aria-invalid')).toBe('true');
  expect(requests.filter(({ url }) => url.endsWith('/sms/noLogin'))).toHaveLength(0);
  await userEvent.type(captcha, '123456');
  await userEvent.click(send);
  await screen.findByRole('button', { name: /Again in/ });
  const sent = requests.find(({ url }) => url.endsWith('/sms/noLogin'));
  expect(await sent?.json()).toMatchObject({ captcha: '123456', mobileNum: '933333333' });
});

test('VA-02 login captcha part, VA-10 where every login needs a captcha, it shows from the start with its rule', async () => {
  const requests = withAnswers({
    'GET /wps/system/setting/register': { ...setting, loginCaptcha: true },
    [loginCall]: grant,
  });
  renderScreen(<LoginForm />);
  const captcha = await screen.findByLabelText<HTMLInputElement>('Captcha *');
  const hint = screen.getByText('1–16 digits or letters, or an equation result');
  expect(captcha.getAttribute('aria-describedby')).toContain(hint.id);
  // The hint follows the specification; the limit is narrower.
  expect(captcha.maxLength).toBe(6);
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  expect(await screen.findByText('Enter a captcha')).toBeVisible();
  expect(logins(requests)).toHaveLength(0);
  await userEvent.type(captcha, '123456');
  await userEvent.click(login());
  await expect.poll(() => logins(requests).length).toBe(1);
  expect(await logins(requests)[0]?.json()).toMatchObject({ captcha: '123456' });
});

test('LG-06 the slider comes before the request, and a failure resets it', async () => {
  const requests = withAnswers({
    'GET /wps/system/setting/register': {
      ...setting,
      slider: { ...setting.slider, login: true },
    },
    [loginCall]: new Failing(401, 'login.incorrect'),
    'GET /wps/captcha/slider': {
      id: 'p1',
      background: 'data:background',
      piece: 'data:piece',
      width: 320,
      height: 180,
      pieceWidth: 56,
      pieceHeight: 56,
      pieceY: 60,
      expiresIn: 60,
    },
    'POST /wps/captcha/slider': { pass: 'pass-1', expiresIn: 300 },
  });
  renderScreen(<LoginForm />);
  await screen.findByText('Slider check');
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  const thumb = await screen.findByRole('slider');
  expect(logins(requests)).toHaveLength(0);
  thumb.focus();
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await screen.findByText('Username or password incorrect');
  expect(await logins(requests)[0]?.json()).toMatchObject({ challenge: 'pass-1' });
  expect(await screen.findByText('Tap to open, it takes a few seconds')).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Mobile number' }));
  expect(screen.queryByText('Slider check')).toBeNull();
});

test('a proof of work that the server requires is solved and sent without the member', async () => {
  const work = { ...(await newWork(7)), required: false, expiresIn: 600 };
  let refusals = 1;
  const requests = withAnswers({
    'GET /wps/captcha/proof': work,
    [loginCall]: () =>
      refusals-- > 0 ? new Failing(422, 'proof.required', { args: { cost: '20' } }) : grant,
  });
  renderScreen(<LoginForm />);
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  await expect.poll(() => logins(requests)).toHaveLength(2);
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  const [first, second] = await Promise.all(logins(requests).map((sent) => sent.json()));
  expect(first).toEqual({ type: 'username', username: 'demo88', password: 'Demo1234' });
  const { proofOfWork, ...rest } = second as Record<string, string>;
  expect(rest).toEqual(first);
  const { took, ...proof } = JSON.parse(atob(proofOfWork ?? '')) as Record<string, unknown>;
  expect(took).toBeGreaterThanOrEqual(0);
  const { algorithm, challenge, salt, signature } = work;
  expect(proof).toEqual({ algorithm, challenge, salt, signature, number: 7 });
  const asked = requests.filter(({ url }) => url.includes('/wps/captcha/proof?'));
  expect(asked.map(({ url }) => new URL(url).search)).toEqual([
    '?purpose=login',
    '?purpose=login&cost=20',
  ]);
});

async function newWork(number: number) {
  const salt = '0011?expires=1800000000&cost=20&';
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(salt + number));
  const challenge = Array.from(new Uint8Array(digest), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return { algorithm: 'SHA-256', challenge, maxnumber: 20, salt, signature: 'ab' };
}

test('LG-06 a slider required only by the server opens when the server requires it', async () => {
  withAnswers({ [loginCall]: new Failing(422, 'challenge.required') });
  renderScreen(<LoginForm />);
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  expect(await screen.findByRole('dialog')).toBeVisible();
});
