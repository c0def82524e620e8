// The messages about accounts in part 8 of the specification, in four languages and on their screens.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { beforeEach, expect, test } from 'vitest';

import changeRefusals from '../../../cmd/fairground/testdata/calls/changePassword.golden.json';
import loginRefusals from '../../../cmd/fairground/testdata/calls/login.golden.json';
import registerRefusals from '../../../cmd/fairground/testdata/calls/register.golden.json';
import resetRefusals from '../../../cmd/fairground/testdata/calls/resetSendSMS.golden.json';
import golden from '../../../internal/site/merchant/testdata/register.golden.json';
import { clearSession, endSession, startSession } from '../api/session.ts';
import ForgetScreen from '../features/forget/ForgetScreen.tsx';
import LoginScreen from '../features/login/LoginScreen.tsx';
import ChangePasswordScreen from '../features/password/ChangePasswordScreen.tsx';
import RegisterScreen from '../features/register/RegisterScreen.tsx';
import { languages, type Language } from '../i18n/languages.ts';
import { closeOverlay } from '../lib/overlays.ts';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { homeAnswers, settings } from '../lib/testing/fixtures.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { ToastViewport } from '../ui/Toast.tsx';
import { toast } from '../ui/toastStore.ts';
import { Shell } from './Shell.tsx';

/** The screen that shows a message. */
type Place = 'login' | 'register' | 'changePsw' | 'forget' | 'shell';

type Row = {
  /** The message's id in the catalogues. */
  id: string;
  /** The English text of the specification. */
  text: string;
  place: Place;
  /** The field that the server names with the error. */
  field?: string;
};

const refused = (place: Place, code: string, text: string, field?: string): Row => ({
  id: `errors.${code}`,
  text,
  place,
  ...(field && { field }),
});

const rows: readonly Row[] = [
  refused('login', 'login.incorrect', 'Username or password incorrect'),
  refused('login', 'login.locked', 'Account does not exist or is locked'),
  refused('login', 'login.not_member', 'Non-member account unable to login'),
  refused('login', 'login.not_agent', 'Non-agents cannot log in'),
  refused('login', 'access.denied', 'Account has no permission or feature temporarily unavailable'),
  refused('login', 'system.unavailable', 'System upgrading, please try again later'),
  refused('login', 'system.error', 'System error, try again later'),
  refused('login', 'captcha.required', 'Enter a captcha', 'captcha'),
  refused('register', 'member.username_format', 'Account format incorrect', 'username'),
  refused('register', 'member.password_format', 'Password format incorrect', 'password'),
  refused('register', 'member.email_format', 'E-mail format incorrect', 'email'),
  refused('register', 'member.payee_format', 'Name format incorrect', 'payeeName'),
  refused('register', 'member.mobile_format', 'The mobile number is not valid', 'mobileNum'),
  refused('register', 'member.username_taken', 'Username already exists', 'username'),
  refused('register', 'member.mobile_taken', 'Account already used', 'mobileNum'),
  refused('register', 'member.affiliate_unknown', 'Invalid invitation code', 'affiliateCode'),
  refused('changePsw', 'member.password_confirm', 'Confirmation password not matched'),
  refused(
    'changePsw',
    'member.password_same',
    'The new password and the old password cannot be the same',
  ),
  refused('changePsw', 'member.password_required', 'Enter password'),
  refused('forget', 'network.offline', 'Network offline or unstable'),
  refused('forget', 'verification.incorrect', 'Verification code incorrect'),
  {
    id: 'Logged out, please log in again',
    text: 'Logged out, please log in again',
    place: 'shell',
  },
  {
    id: 'Please login an actual account to use this function',
    text: 'Please login an actual account to use this function',
    place: 'shell',
  },
  { id: 'free_reject', text: 'Guests cannot use this function', place: 'shell' },
  {
    id: 'in_popup_prompt',
    text: 'Register an account to open the member centre, deposit and keep favourites.',
    place: 'shell',
  },
];

/** Messages of other components, whose own tests show them. */
const others: Readonly<Record<string, string>> = {
  'errors.login.not.session': 'You are not logged in, please login first',
  'errors.system.restricted': 'IP restricted: access denied',
  'System under maintenance': 'System under maintenance',
  'Load failed, tap to retry': 'Load failed, tap to retry',
  in_sms_sending: 'Sending the code',
  in_sms_send: 'The code is on its way',
  in_please_wait: 'Please wait',
  in_vwrite_code: 'Enter the captcha to get a code',
};

function catalogue(language: Language): Map<string, string> {
  const messages = new Map<string, string>();
  const folder = join(import.meta.dirname, '../i18n/locales');
  for (const name of readdirSync(folder)) {
    const file = readFileSync(join(folder, name, `${language}.po`), 'utf8');
    for (const [, id = '""', text = '""'] of file.matchAll(/^msgid (".*")\nmsgstr (".*")$/gm))
      messages.set(JSON.parse(id), JSON.parse(text));
  }
  return messages;
}

const all: readonly (readonly [id: string, english: string])[] = [
  ...rows.map(({ id, text }) => [id, text] as const),
  ...Object.entries(others),
];

test('ER-01 accounts: every message of part 8 is in the English catalogue, word for word', () => {
  const messages = catalogue('en');
  expect(all.map(([id]) => [id, messages.get(id)])).toEqual(all);
});

test.each(languages.filter((language) => language !== 'en'))(
  'ER-01 accounts: every message of part 8 is translated in the catalogue of %s',
  (language) => {
    const messages = catalogue(language);
    expect(
      all.filter(([id, english]) => [undefined, '', english].includes(messages.get(id))),
    ).toEqual([]);
  },
);

beforeEach(() => {
  clearSession();
  closeOverlay();
  toast.hide();
});

const setting = {
  ...golden.body.value,
  captcha: false,
  reset: { channels: ['sms'], captcha: false },
  fields: golden.body.value.fields.map((field) => ({
    ...field,
    enabled: field.name !== 'captcha' && (field.enabled || /^(email|payeeName)$/.test(field.name)),
  })),
};

function show(element: ReactElement, answers: Record<string, unknown>): void {
  answerWith({
    ...homeAnswers,
    'GET /wps/system/settings/consolidated': {
      ...settings,
      signIn: { google: false, facebook: false, sms: false, firebase: null },
    },
    'GET /wps/system/setting/register': setting,
    'GET /wps/check/username': { available: true },
    'GET /wps/agent/affiliate': { success: true },
    'GET /wps/captcha': 'data:image/png;base64,AAAA',
    ...answers,
  });
  renderScreen(
    <>
      {element}
      <ToastViewport />
    </>,
  );
}

async function inputOf(name: string): Promise<HTMLInputElement> {
  const find = () => document.querySelector<HTMLInputElement>(`input[name=${name}]`);
  await expect.poll(find).not.toBeNull();
  return find()!;
}

async function fill(values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    // oxlint-disable-next-line no-await-in-loop -- a field may appear after the one before
    fireEvent.change(await inputOf(name), { target: { value } });
  }
}

async function submit(): Promise<void> {
  await act(async () => fireEvent.submit(document.querySelector('form')!));
}

const session = {
  token: 'token-1',
  type: 0,
  userName: 'demo88',
  merchantCode: 'fairground',
  firstTimeLogin: false,
};

/** Opens the screen of each message and causes its error. */
const showMessage: Record<Place, (row: Row) => Promise<void>> = {
  async login({ id, field: name }) {
    history.replaceState(null, '', '/m/login');
    const failure = new Failing(401, id.replace('errors.', ''), name ? { field: name } : {});
    show(<LoginScreen />, { 'POST /wps/session/login': failure });
    await fill({ username: 'minhanh92', password: 'Secret123' });
    await submit();
  },
  async register({ id, field: name }) {
    history.replaceState(null, '', '/m/register');
    const code = id.replace('errors.', '');
    show(<RegisterScreen />, {
      'PUT /wps/member/register': new Failing(422, code, { field: name }),
      'GET /wps/agent/affiliate': { success: code !== 'member.affiliate_unknown' },
    });
    await fill({
      username: 'minhanh92',
      password: 'Secret123',
      confirmPassword: 'Secret123',
      mobileNum: '912345678',
      email: 'minh@example.com',
      payeeName: 'MINH ANH',
      affiliateCode: 'ABC12345',
    });
    const age = await inputOf('ageConfirmed');
    // The form keeps the tick of the row before.
    if (!age.checked) fireEvent.click(age);
    await submit();
    await expect.poll(() => document.activeElement?.getAttribute('name')).toBe(name);
  },
  async changePsw({ id }) {
    history.replaceState(null, '', '/m/changePsw');
    startSession(session);
    show(<ChangePasswordScreen />, { 'GET /wps/member/security': { hasPassword: true } });
    const confirmations = {
      'errors.member.password_required': '',
      'errors.member.password_confirm': 'x',
    };
    await fill({
      oldPassword: 'Demo1234',
      newPassword: id.endsWith('_same') ? 'Demo1234' : 'Secret123',
      confirmNewPassword: confirmations[id as keyof typeof confirmations] ?? 'Demo1234',
    });
    await submit();
  },
  async forget({ id }) {
    history.replaceState(null, '', '/');
    history.replaceState(null, '', '/m/forget');
    const sent = { expiredMinutes: 5, expirationTime: Date.now() + 300_000 };
    const wrong = new Failing(422, 'verification.incorrect');
    // A request without an answer is a network error.
    show(<ForgetScreen />, {
      ...(id !== 'errors.network.offline' && { 'POST /wps/member/password/sms': sent }),
      'POST /wps/member/password/sms/verification': wrong,
    });
    await fill({ mobileNum: '912345678' });
    await submit();
    if (id === 'errors.network.offline') return;
    await fill({ verificationCode: '000000' });
    await submit();
  },
  async shell({ id }) {
    const paths: Record<string, string> = {
      free_reject: '/m/webEmail',
      in_popup_prompt: '/m/member/home',
      'Logged out, please log in again': '/m/home',
    };
    history.replaceState(null, '', paths[id] ?? '/m/voucherCenter');
    const guest = id !== 'Logged out, please log in again';
    startSession({ ...session, type: guest ? 4 : 0 });
    show(<Shell />, {});
    if (!guest) await act(() => endSession('token-1'));
  },
};

test.each(rows)('ER-01 accounts: "$text" appears at $place', async (row) => {
  await showMessage[row.place](row);
  const found = await screen.findAllByText((content) => content.startsWith(row.text));
  expect(found.length).toBeGreaterThan(0);
  cleanup();
});

const registrationValues = {
  username: 'minhanh92',
  password: 'Secret123',
  confirmPassword: 'Secret123',
  email: 'minh@example.com',
};

type Refusal = { case: string; status: number; errorCode?: string; field?: string; args?: object };

type Form = {
  call: string;
  path: string;
  screen: ReactElement;
  typed: Readonly<Record<string, string>>;
  refusals: readonly Refusal[];
};

/** Forms, the values to type, and every error of their requests in the server's golden files. */
const forms: readonly Form[] = [
  {
    call: 'POST /wps/session/login',
    path: '/m/login',
    screen: <LoginScreen />,
    typed: { username: 'minhanh92', password: 'Secret123' },
    refusals: loginRefusals,
  },
  {
    call: 'PUT /wps/member/register',
    path: '/m/register',
    screen: <RegisterScreen />,
    typed: registrationValues,
    refusals: registerRefusals,
  },
  {
    call: 'PUT /wps/member/password',
    path: '/m/changePsw',
    screen: <ChangePasswordScreen />,
    typed: { oldPassword: 'Demo1234', newPassword: 'Secret123', confirmNewPassword: 'Secret123' },
    refusals: changeRefusals,
  },
  {
    call: 'POST /wps/member/password/sms',
    path: '/m/forget',
    screen: <ForgetScreen />,
    // Another test has already requested a code for the other number.
    typed: { mobileNum: '987654321' },
    refusals: resetRefusals,
  },
];

/** These errors end the session and leave the form. */
const sessionErrors = new Set(['login.not.session', 'user.or.token.invalid']);

/** Reports whether an error is shown: above the fields, at a field, in a toast, or by the slider. */
const isErrorShown = () =>
  [...document.querySelectorAll('[role=alert]')].some(({ textContent }) => textContent !== '') ||
  document.querySelector('[aria-invalid=true], [role=dialog], input[name=captcha]') !== null;

test.each(forms)(
  'ER-03 typed values stay after every error of $call',
  async ({ call, path, screen: element, typed, refusals }) => {
    for (const { status, errorCode = '', field, args } of refusals) {
      if (status < 400 || sessionErrors.has(errorCode)) continue;
      history.replaceState(null, '', '/');
      history.replaceState(null, '', path);
      toast.hide();
      if (path === '/m/changePsw') startSession(session);
      show(element, {
        'GET /wps/member/security': { hasPassword: true },
        [call]: new Failing(status, errorCode, { field, args }),
      });
      // oxlint-disable-next-line no-await-in-loop -- one form after another
      await fill(typed);
      const age = document.querySelector<HTMLInputElement>('input[name=ageConfirmed]');
      if (age && !age.checked) fireEvent.click(age);
      // oxlint-disable-next-line no-await-in-loop
      await submit();
      // oxlint-disable-next-line no-await-in-loop
      await expect.poll(isErrorShown, { message: errorCode }).toBe(true);
      const values = Object.keys(typed).map((name) => [
        name,
        document.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value,
      ]);
      expect({ errorCode, ...Object.fromEntries(values) }).toEqual({ errorCode, ...typed });
      cleanup();
    }
  },
);
