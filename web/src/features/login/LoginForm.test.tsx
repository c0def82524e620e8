import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { sessionPassword } from '../../api/remembered-login.ts';
import { currentSession } from '../../api/session.ts';
import { chooseLanguage, screenMessages } from '../../i18n/runtime.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { switches } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { LoginForm } from './LoginForm.tsx';
import {
  begin,
  grant,
  login,
  loginCall,
  logins,
  password,
  setting,
  site,
  type,
  username,
} from './testing.ts';

beforeEach(begin);

test('LG-01 username and password start a session', async () => {
  const asked = answerWith({ 'POST /wps/session/login': grant });
  renderScreen(<LoginForm />);
  await type('  demo88 ', 'Demo1234');
  await userEvent.click(login());
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(await logins(asked)[0]?.json()).toEqual({
    username: 'demo88',
    password: 'Demo1234',
    type: 'username',
  });
});

test('an empty field says so under itself, as in every other form, and takes the focus; nothing is sent', async () => {
  const asked = answerWith({});
  renderScreen(<LoginForm />);
  await userEvent.click(login());
  const said = await screen.findByText('This field is required');
  expect(username().getAttribute('aria-invalid')).toBe('true');
  expect(said.id).toBe(username().getAttribute('aria-describedby'));
  expect(screen.getByText('Enter password')).toBeDefined();
  expect(document.activeElement).toBe(username());
  await userEvent.type(username(), 'demo88{Enter}');
  await expect.poll(() => document.activeElement).toBe(password());
  expect(logins(asked)).toHaveLength(0);
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

test('ER-02 login part: without a network it says so and keeps what was typed', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  answerWith({});
  renderScreen(<LoginForm />);
  await type('player99', 'Secret123');
  await userEvent.click(login());
  const said = await screen.findByText('Network offline or unstable', { exact: false });
  expect(said.closest('[role=alert]')).not.toBeNull();
  expect([username().value, password().value]).toEqual(['player99', 'Secret123']);
  expect(login().getAttribute('aria-busy')).not.toBe('true');
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
  await expect.poll(() => login().getAttribute('aria-busy')).toBe('true');
  await userEvent.type(password(), '{Enter}');
  await expect.poll(() => answer).toBeDefined();
  answer(grant);
  await expect.poll(() => currentSession()?.token).toBe('token-1');
  expect(logins(asked)).toHaveLength(1);
});

test('a new attempt takes the old failure away', async () => {
  answerWith({ 'POST /wps/session/login': new Failing(401, 'login.incorrect') });
  renderScreen(<LoginForm />);
  await type('demo88', 'Wrong999');
  await userEvent.click(login());
  await screen.findByText('Username or password incorrect');
  await userEvent.clear(password());
  await userEvent.click(login());
  expect(await screen.findByText('Enter password')).toBeDefined();
  expect(screen.queryByText('Username or password incorrect')).toBeNull();
});

test('a captcha that is asked for is asked for once, by its field', async () => {
  answerWith({
    'POST /wps/session/login': new Failing(422, 'captcha.required'),
    'GET /wps/captcha': 'data:image/png;base64,one',
  });
  renderScreen(<LoginForm />);
  await type('demo88', 'Secret123');
  await userEvent.click(login());
  const captcha = await screen.findByLabelText<HTMLInputElement>(/Captcha/);
  await expect.poll(() => document.activeElement).toBe(captcha);
  const said = screen.getByText('Enter a captcha');
  expect(said.id).toBe(captcha.getAttribute('aria-describedby'));
  expect(screen.queryByText('Enter the captcha, then try again.')).toBeNull();
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
  expect(await logins(asked)[1]?.json()).toEqual({
    username: 'demo88',
    password: 'Wrong999',
    captcha: '654321',
    type: 'username',
  });
});

test('LG-02 with its flag a toggle offers a number and a code; both modes keep what was typed', async () => {
  const asked = site({
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
  const sent = asked.find(({ url }) => url.endsWith('/sms/noLogin'));
  expect(await sent?.json()).toEqual({
    mobileNum: '912345678',
    countryDialingCode: '84',
    purpose: 'login',
  });
  expect(await logins(asked)[0]?.json()).toEqual({
    type: 'sms',
    username: '912345678',
    password: '123456',
    countryDialingCode: '84',
  });
  // A code is no password to change later.
  expect(sessionPassword()).toBeNull();
});

test('LG-02 without its flag, or where no code can be sent, there is no toggle', async () => {
  site({}, { signIn: { google: false, facebook: false, sms: false, firebase: null } });
  const { unmount } = renderScreen(<LoginForm />);
  await screen.findByText('Play for free');
  expect(screen.queryByRole('radio')).toBeNull();
  unmount();
  site({
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

test('what the server says about a number and its code stands under them', async () => {
  const refusals = [
    new Failing(400, 'member.mobile_format', { field: 'username' }),
    new Failing(422, 'verification.incorrect'),
  ];
  site({ [loginCall]: () => Promise.resolve(refusals.shift()) });
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

test('VA-02 login captcha part, VA-10 where every login takes a captcha it is there from the start, and says what it takes', async () => {
  const asked = site({
    'GET /wps/system/setting/register': { ...setting, loginCaptcha: true },
    [loginCall]: grant,
  });
  renderScreen(<LoginForm />);
  const captcha = await screen.findByLabelText<HTMLInputElement>('Captcha *');
  const hint = screen.getByText('1–16 digits or letters, or an equation result');
  expect(captcha.getAttribute('aria-describedby')).toContain(hint.id);
  // The hint is what the specification says; what is taken is narrower.
  expect(captcha.maxLength).toBe(6);
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  expect(await screen.findByText('Enter a captcha')).toBeDefined();
  expect(logins(asked)).toHaveLength(0);
  await userEvent.type(captcha, '123456');
  await userEvent.click(login());
  await expect.poll(() => logins(asked).length).toBe(1);
  expect(await logins(asked)[0]?.json()).toMatchObject({ captcha: '123456' });
});

test('VA-02 login: a number has at most 20 characters and loses one zero, a code at most 10, of digits', async () => {
  const asked = site({ [loginCall]: grant });
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
  expect(logins(asked)).toHaveLength(0);
  await userEvent.type(code, '{Backspace}6{Enter}');
  await expect.poll(() => logins(asked).length).toBe(1);
  expect(await logins(asked)[0]?.json()).toMatchObject({ username: '912345678' });
});

test('VA-05 login: what is wrong is said in the language that was chosen meanwhile', async () => {
  await screenMessages('login');
  site({});
  renderScreen(<LoginForm />);
  await screen.findByText('Play for free');
  await userEvent.click(login());
  expect(await screen.findByText('Enter password')).toBeDefined();
  await act(() => chooseLanguage('pt'));
  expect(await screen.findByText('Digite a senha')).toBeDefined();
  await act(() => chooseLanguage('en'));
});

test('VA-12 phone part: a number’s field says how many digits it takes', async () => {
  site({});
  renderScreen(<LoginForm />);
  await userEvent.click(await screen.findByRole('radio', { name: 'Mobile number' }));
  const number = screen.getByLabelText('Mobile number', { selector: '[name=mobileNum]' });
  const hint = screen.getByText('9 digits, with or without the first 0');
  expect(number.getAttribute('aria-describedby')).toContain(hint.id);
});

test('LG-06 the slider is passed before anything is sent, and a failure resets it', async () => {
  const asked = site({
    'GET /wps/system/setting/register': {
      ...setting,
      slider: { ...setting.slider, login: true },
    },
    [loginCall]: new Failing(401, 'login.incorrect'),
    'POST /wps/captcha/code': { pass: 'pass-1' },
  });
  renderScreen(<LoginForm />);
  await screen.findByText('Slider check');
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  await userEvent.click(await screen.findByRole('button', { name: 'Use a code instead' }));
  expect(logins(asked)).toHaveLength(0);
  await userEvent.type(screen.getByLabelText('Captcha'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  await screen.findByText('Username or password incorrect');
  expect(await logins(asked)[0]?.json()).toMatchObject({ challenge: 'pass-1' });
  expect(await screen.findByText('Tap to open, it takes a few seconds')).toBeDefined();
  // By number there is none.
  await userEvent.click(screen.getByRole('radio', { name: 'Mobile number' }));
  expect(screen.queryByText('Slider check')).toBeNull();
});

test('LG-06 a slider that only the server knows of opens once the server asks for it', async () => {
  site({ [loginCall]: new Failing(422, 'challenge.required') });
  renderScreen(<LoginForm />);
  await type('demo88', 'Demo1234');
  await userEvent.click(login());
  expect(await screen.findByRole('dialog')).toBeDefined();
});

test('LG-04 accounts elsewhere are offered by their flags, where they are set up, and only with names', async () => {
  site({});
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
  site(flags);
  const again = renderScreen(<LoginForm />);
  await screen.findByText('Play for free');
  expect(screen.queryByRole('link', { name: /account$/ })).toBeNull();
  again.unmount();

  site({}, { signIn: { google: true, facebook: false, sms: false, firebase: null } });
  renderScreen(<LoginForm />);
  const left = await screen.findAllByRole('link', { name: /account$/ });
  expect(left.map((link) => link.textContent)).toEqual(['GGoogle account']);
});

test('LG-03 free play is offered where it is on', async () => {
  site({ 'GET /wps/system/whitelabel': { ...switches, modules: { FREEPLAY3: false } } });
  const { unmount } = renderScreen(<LoginForm />);
  await userEvent.type(username(), 'x');
  expect(screen.queryByText('Play for free')).toBeNull();
  unmount();
  site({});
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
  'RO-06 app side: a login that leads to %s is one of the agents’ area: %s',
  async (target, of) => {
    const asked = site({ [loginCall]: new Failing(403, 'login.not_agent') });
    renderScreen(<LoginForm target={target} />);
    await type('demo88', 'Demo1234');
    await userEvent.click(login());
    expect(await screen.findByText('Non-agents cannot log in')).toBeDefined();
    const sent = (await logins(asked)[0]!.json()) as { area?: string };
    expect(sent.area).toBe(of ? 'agent' : undefined);
  },
);

test('RO-06 those who are no members, no agents, and locked ones are told so', async () => {
  const answers = [
    new Failing(403, 'login.not_member'),
    new Failing(403, 'login.not_agent'),
    new Failing(403, 'login.locked'),
  ];
  site({ [loginCall]: () => Promise.resolve(answers.shift()) });
  renderScreen(<LoginForm />);
  await type('robot1', 'Demo1234');
  await userEvent.click(login());
  expect(await screen.findByText('Non-member account unable to login')).toBeDefined();
  await userEvent.click(login());
  expect(await screen.findByText('Non-agents cannot log in')).toBeDefined();
  await userEvent.click(login());
  expect(await screen.findByText('Account does not exist or is locked')).toBeDefined();
});
