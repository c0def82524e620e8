import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { sessionPassword } from '../../api/remembered-login.ts';
import { currentSession } from '../../api/session.ts';
import { chooseLanguage, loadScreenMessages } from '../../i18n/runtime.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { switches } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { LoginForm } from './LoginForm.tsx';
import {
  resetLogin,
  grant,
  login,
  loginCall,
  logins,
  password,
  withAnswers,
  type,
  username,
} from './testing.ts';

beforeEach(resetLogin);

test('LG-01 username and password start a session', async () => {
  const requests = answerWith({ 'POST /wps/session/login': grant });
  renderScreen(<LoginForm />);
  await type('  demo88 ', 'Demo1234');
  await userEvent.click(login());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await logins(requests)[0]?.json()).toEqual({
    username: 'demo88',
    password: 'Demo1234',
    type: 'username',
  });
});

test('an empty field shows an error and takes the focus; nothing is sent', async () => {
  const requests = answerWith({});
  renderScreen(<LoginForm />);
  await userEvent.click(login());
  const message = await screen.findByText('This field is required');
  expect(username().getAttribute('aria-invalid')).toBe('true');
  expect(message.id).toBe(username().getAttribute('aria-describedby'));
  expect(screen.getByText('Enter password')).toBeVisible();
  expect(document.activeElement).toBe(username());
  await userEvent.type(username(), 'demo88{Enter}');
  await expect.poll(() => document.activeElement).toBe(password());
  expect(logins(requests)).toHaveLength(0);
});

test.each([
  [new Failing(401, 'login.incorrect'), 'Username or password incorrect'],
  [new Failing(500, 'never.heard', { requestId: 'r-7' }), 'reference r-7'],
  [new Failing(429, 'rate.limited'), 'Too many attempts'],
  [new Response('<html>', { status: 502 }), 'System error, try again later'],
])(
  'ER-03 form part: a failure shows an error and keeps the typed values',
  async (answer, message) => {
    answerWith({ 'POST /wps/session/login': answer });
    renderScreen(<LoginForm />);
    await type('demo88', 'Wrong999');
    await userEvent.click(login());
    expect(
      (await screen.findByText(message, { exact: false })).closest('[role=alert]'),
    ).not.toBeNull();
    expect(username().value).toBe('demo88');
    expect(password().value).toBe('Wrong999');
    expect(currentSession()).toBeNull();
  },
);

test('ER-02 login part: a network error is shown and keeps the typed values', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  answerWith({});
  renderScreen(<LoginForm />);
  await type('player99', 'Secret123');
  await userEvent.click(login());
  const message = await screen.findByText('Network offline or unstable', { exact: false });
  expect(message.closest('[role=alert]')).not.toBeNull();
  expect([username().value, password().value]).toEqual(['player99', 'Secret123']);
  expect(login().getAttribute('aria-busy')).not.toBe('true');
});

test('an error for one field shows under that field', async () => {
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
  const requests = answerWith({
    'POST /wps/session/login': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  renderScreen(<LoginForm />);
  await type('demo88', 'Demo1234');
  await userEvent.dblClick(login());
  await expect.poll(() => login().getAttribute('aria-busy')).toBe('true');
  await userEvent.type(password(), '{Enter}');
  await expect.poll(() => answer).toBeDefined();
  answer(grant);
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(logins(requests)).toHaveLength(1);
});

test('a new attempt clears the old error', async () => {
  answerWith({ 'POST /wps/session/login': new Failing(401, 'login.incorrect') });
  renderScreen(<LoginForm />);
  await type('demo88', 'Wrong999');
  await userEvent.click(login());
  await screen.findByText('Username or password incorrect');
  await userEvent.clear(password());
  await userEvent.click(login());
  expect(await screen.findByText('Enter password')).toBeVisible();
  expect(screen.queryByText('Username or password incorrect')).toBeNull();
});

test('LG-02 with its flag on, a toggle offers number and code; both modes keep the typed values', async () => {
  const requests = withAnswers({
    [loginCall]: grant,
    'POST /wps/verification/sms/noLogin': { expiredMinutes: 5 },
  });
  renderScreen(<LoginForm />);
  await userEvent.type(username(), 'demo88');
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  expect(screen.queryByLabelText('Password')).toBeNull();
  const number = screen.getByLabelText('Mobile number', { selector: '[name=mobileNum]' });
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send code' });
  await userEvent.type(number, '091');
  expect(send.disabled).toBe(true);
  await userEvent.type(number, '2345678');
  await expect.poll(() => send.disabled).toBe(false);
  await userEvent.click(send);
  const waiting = await screen.findByRole<HTMLButtonElement>('button', { name: /Again in [45]:/ });
  expect(waiting.disabled).toBe(true);
  await userEvent.click(screen.getByRole('radio', { name: 'Username' }));
  expect(username().value).toBe('demo88');
  await userEvent.click(screen.getByRole('radio', { name: 'Mobile number' }));
  await userEvent.type(screen.getByLabelText('Verification code'), '123456{Enter}');
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  const sent = requests.find(({ url }) => url.endsWith('/sms/noLogin'));
  expect(await sent?.json()).toEqual({
    mobileNum: '912345678',
    countryDialingCode: '84',
    purpose: 'login',
  });
  expect(await logins(requests)[0]?.json()).toEqual({
    type: 'sms',
    username: '912345678',
    password: '123456',
    countryDialingCode: '84',
  });
  // A code is not a password that could be changed later.
  expect(sessionPassword()).toBeNull();
});

test('LG-02 without its flag, or where no code can be sent, there is no toggle', async () => {
  withAnswers({}, { signIn: { google: false, facebook: false, sms: false, firebase: null } });
  const { unmount } = renderScreen(<LoginForm />);
  await screen.findByText('Play for free');
  expect(screen.queryByRole('radio')).toBeNull();
  unmount();
  withAnswers({
    'GET /wps/system/whitelabel': {
      ...switches,
      flags: { MOBILEVERCODELOGIN3: false },
      modules: { FREEPLAY3: true },
    },
  });
  renderScreen(<LoginForm />);
  await screen.findByText('Play for free');
  expect(screen.queryByRole('radio')).toBeNull();
});

test('server errors for a number and its code show under their fields', async () => {
  const refusals = [
    new Failing(400, 'member.mobile_format', { field: 'username' }),
    new Failing(422, 'verification.incorrect'),
  ];
  withAnswers({ [loginCall]: () => Promise.resolve(refusals.shift()) });
  renderScreen(<LoginForm />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  const number = screen.getByLabelText('Mobile number', { selector: '[name=mobileNum]' });
  const code = screen.getByLabelText('Verification code');
  await userEvent.type(number, '0912345678');
  await userEvent.type(code, '123456{Enter}');
  await expect.poll(() => number.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(number);
  await userEvent.click(login());
  await expect.poll(() => document.activeElement).toBe(number);
  await userEvent.type(number, '{Backspace}9');
  await userEvent.click(login());
  await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true');
});

test('VA-02 login: a number has at most 20 characters and loses one zero, a code has at most 10 digits', async () => {
  const requests = withAnswers({ [loginCall]: grant });
  renderScreen(<LoginForm />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  const number = screen.getByLabelText<HTMLInputElement>('Mobile number', {
    selector: '[name=mobileNum]',
  });
  const code = screen.getByLabelText<HTMLInputElement>('Verification code');
  await expect.poll(() => code.maxLength).toBe(10);
  await userEvent.type(number, '091234567890123456789');
  await userEvent.tab();
  await expect.poll(() => number.getAttribute('aria-invalid')).toBe('true');
  await enter(number, '0912345678');
  await userEvent.type(code, '12345a{Enter}');
  await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true');
  expect(logins(requests)).toHaveLength(0);
  await userEvent.type(code, '{Backspace}6{Enter}');
  await expect.poll(() => logins(requests).length).toBe(1);
  expect(await logins(requests)[0]?.json()).toMatchObject({ username: '912345678' });
});

test('VA-05 login: an error follows a change of language', async () => {
  await loadScreenMessages('login');
  withAnswers({});
  renderScreen(<LoginForm />);
  await screen.findByText('Play for free');
  await userEvent.click(login());
  expect(await screen.findByText('Enter password')).toBeVisible();
  await act(() => chooseLanguage('pt'));
  expect(await screen.findByText('Digite a senha')).toBeVisible();
  await act(() => chooseLanguage('en'));
});

test('VA-12 phone part: the number field says how many digits it takes', async () => {
  withAnswers({});
  renderScreen(<LoginForm />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  const number = screen.getByLabelText('Mobile number', { selector: '[name=mobileNum]' });
  const hint = screen.getByText('9 digits, with or without the first 0');
  expect(number.getAttribute('aria-describedby')).toContain(hint.id);
});

test('LG-04 external accounts are offered by their flags, only if set up, and only in username mode', async () => {
  withAnswers({});
  const { unmount } = renderScreen(<LoginForm target="/m/member/vip" />);
  const links = await screen.findAllByRole('link', { name: /account$/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/wps/session/outside/facebook/start?return=%2Fm%2Fmember%2Fvip',
    '/wps/session/outside/google/start?return=%2Fm%2Fmember%2Fvip',
  ]);
  await userEvent.click(screen.getByRole('radio', { name: 'Mobile number' }));
  expect(screen.queryByRole('link', { name: /account$/ })).toBeNull();
  unmount();

  const flags = { 'GET /wps/system/whitelabel': { ...switches, modules: { FREEPLAY3: true } } };
  withAnswers(flags);
  const again = renderScreen(<LoginForm />);
  await screen.findByText('Play for free');
  expect(screen.queryByRole('link', { name: /account$/ })).toBeNull();
  again.unmount();

  withAnswers({}, { signIn: { google: true, facebook: false, sms: false, firebase: null } });
  renderScreen(<LoginForm />);
  const left = await screen.findAllByRole('link', { name: /account$/ });
  expect(left.map((link) => link.textContent)).toEqual(['GGoogle account']);
});

test('LG-03 free play is offered where it is on', async () => {
  withAnswers({ 'GET /wps/system/whitelabel': { ...switches, modules: { FREEPLAY3: false } } });
  const { unmount } = renderScreen(<LoginForm />);
  await userEvent.type(username(), 'x');
  expect(screen.queryByText('Play for free')).toBeNull();
  unmount();
  withAnswers({});
  renderScreen(<LoginForm />);
  expect((await screen.findByText('Play for free')).getAttribute('href')).toBe('/m/trail');
});

test.each([
  ['/m/member/agent', true],
  ['/m/member/agent/getHourContract', true],
  ['/m/member/agent?part=team', true],
  ['/m/member/agents', false],
  ['/m/home?from=/m/member/agent', false],
])(
  'RO-06 app part: a login with the target %s is for the agent area: %s',
  async (target, forAgents) => {
    const requests = withAnswers({ [loginCall]: new Failing(403, 'login.not_agent') });
    renderScreen(<LoginForm target={target} />);
    await type('demo88', 'Demo1234');
    await userEvent.click(login());
    expect(await screen.findByText('Non-agents cannot log in')).toBeVisible();
    const sent = (await logins(requests)[0]!.json()) as { area?: string };
    expect(sent.area).toBe(forAgents ? 'agent' : undefined);
  },
);

test('RO-06 non-members, non-agents and locked members see an error', async () => {
  const answers = [
    new Failing(403, 'login.not_member'),
    new Failing(403, 'login.not_agent'),
    new Failing(403, 'login.locked'),
  ];
  withAnswers({ [loginCall]: () => Promise.resolve(answers.shift()) });
  renderScreen(<LoginForm />);
  await type('robot1', 'Demo1234');
  await userEvent.click(login());
  expect(await screen.findByText('Non-member account unable to login')).toBeVisible();
  await userEvent.click(login());
  expect(await screen.findByText('Non-agents cannot log in')).toBeVisible();
  await userEvent.click(login());
  expect(await screen.findByText('Account does not exist or is locked')).toBeVisible();
});
