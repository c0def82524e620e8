import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, currentSession } from '../../api/session.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { LoginForm } from './LoginForm.tsx';

const grant = { token: 'token-1', userName: 'demo88', type: 0, firstTimeLogin: false };

beforeEach(() => clearSession());

const username = () => screen.getByLabelText<HTMLInputElement>('Username');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const login = () => screen.getByRole('button', { name: 'Login' });

async function type(name: string, secret: string) {
  await userEvent.type(username(), name);
  await userEvent.type(password(), secret);
}

test('LG-01 username and password start a session', async () => {
  const asked = answerWith({ 'POST /wps/session/login': grant });
  renderScreen(<LoginForm />);
  await type('  demo88 ', 'Demo1234');
  await userEvent.click(login());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await asked[0]?.json()).toEqual({
    username: 'demo88',
    password: 'Demo1234',
    type: 'username',
  });
});

test('an empty field says so under itself and takes the focus; nothing is sent', async () => {
  const asked = answerWith({});
  renderScreen(<LoginForm />);
  await userEvent.click(login());
  expect(username().getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Enter username').id).toBe(username().getAttribute('aria-describedby'));
  expect(screen.getByText('Enter password')).toBeDefined();
  expect(document.activeElement).toBe(username());
  await userEvent.type(username(), 'demo88{Enter}');
  expect(document.activeElement).toBe(password());
  expect(asked).toHaveLength(0);
});

test.each([
  [new Failing(401, 'login.incorrect'), 'Username or password incorrect'],
  [new Failing(500, 'never.heard', { requestId: 'r-7' }), 'reference r-7'],
  [new Failing(429, 'rate.limited'), 'Too many attempts'],
  [new Response('<html>', { status: 502 }), 'System error, try again later'],
])('ER-03 form part: a failure is told and what was typed stays', async (answer, said) => {
  answerWith({ 'POST /wps/session/login': answer });
  renderScreen(<LoginForm />);
  await type('demo88', 'Wrong999');
  await userEvent.click(login());
  expect((await screen.findByText(said, { exact: false })).closest('[role=alert]')).not.toBeNull();
  expect(username().value).toBe('demo88');
  expect(password().value).toBe('Wrong999');
  expect(currentSession()).toBeNull();
});

test('a failure of one field stands under that field', async () => {
  answerWith({
    'POST /wps/session/login': new Failing(400, 'request_param_err', { field: 'username' }),
  });
  renderScreen(<LoginForm />);
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  const note = await screen.findByText('Something you entered is not valid');
  expect(note.id).toBe(username().getAttribute('aria-describedby'));
});

test('a double tap sends one request, and the button is busy meanwhile', async () => {
  let answer!: (value: unknown) => void;
  const asked = answerWith({
    'POST /wps/session/login': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  renderScreen(<LoginForm />);
  await type('demo88', 'Demo1234');
  await userEvent.dblClick(login());
  expect(login().getAttribute('aria-busy')).toBe('true');
  await userEvent.type(password(), '{Enter}');
  await expect.poll(() => answer).toBeDefined();
  answer(grant);
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(asked).toHaveLength(1);
});

test('a new attempt takes the old failure away', async () => {
  answerWith({ 'POST /wps/session/login': new Failing(401, 'login.incorrect') });
  renderScreen(<LoginForm />);
  await type('demo88', 'Wrong999');
  await userEvent.click(login());
  await screen.findByText('Username or password incorrect');
  await userEvent.clear(password());
  await userEvent.click(login());
  expect(screen.getByText('Enter password')).toBeDefined();
  expect(screen.queryByText('Username or password incorrect')).toBeNull();
});

test('LG-05 the captcha is hidden until a failure asks for it; each failure and each tap bring another picture', async () => {
  const pictures = ['one', 'two', 'three'];
  const refusal = new Failing(401, 'login.incorrect', { args: { captcha: 'true' } });
  const asked = answerWith({
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
  expect(screen.getByText('Enter a captcha').id).toBe(captcha.getAttribute('aria-describedby'));
  await userEvent.type(captcha, '12a34567');
  expect(captcha.value).toBe('123456');
  await userEvent.click(picture);
  await expect.poll(shown).toBe('data:image/png;base64,two');
  expect(captcha.value).toBe('');

  await userEvent.type(captcha, '654321{Enter}');
  await expect.poll(shown).toBe('data:image/png;base64,three');
  expect(captcha.value).toBe('');
  expect(password().value).toBe('Wrong999');
  const sent = asked.filter(({ method }) => method === 'POST');
  expect(await sent[1]?.json()).toEqual({
    username: 'demo88',
    password: 'Wrong999',
    captcha: '654321',
    type: 'username',
  });
});
