import { act, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { clearSession, currentSession, startSession } from '../../api/session.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { settings, switches } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import LoginScreen from './LoginScreen.tsx';

const logIn = (firstTimeLogin: boolean) =>
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'minhanh92',
    merchantCode: 'fairground',
    firstTimeLogin,
  });

beforeEach(() => {
  clearSession();
  history.replaceState(null, '', '/m/login?return=/m/withdraw');
  withAnswers();
});

function withAnswers(more: Record<string, unknown> = {}): void {
  answerWith({
    'GET /wps/system/settings/consolidated': {
      ...settings,
      signIn: { google: false, facebook: false, sms: false, firebase: null },
    },
    'GET /wps/system/whitelabel': switches,
    'GET /wps/system/setting/register': golden.body.value,
    ...more,
  });
}

test('a login with a temporary password leads to the change of password, then to the target', async () => {
  renderScreen(<LoginScreen />);
  act(() => logIn(true));
  await expect.poll(() => location.pathname).toBe('/m/changePsw');
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/withdraw');
});

test('the change of password is skipped where it is switched off', async () => {
  const modules = { ...switches.modules, CHNGPASSVERIF3: false };
  withAnswers({ 'GET /wps/system/whitelabel': { ...switches, modules } });
  renderScreen(<LoginScreen />);
  act(() => logIn(true));
  await expect.poll(() => location.pathname).toBe('/m/withdraw');
});

test('a member who has just registered does not change the password', async () => {
  logIn(true);
  renderScreen(<LoginScreen />);
  await expect.poll(() => location.pathname).toBe('/m/withdraw');
});

test('any other login leads to its target', async () => {
  renderScreen(<LoginScreen />);
  act(() => logIn(false));
  await expect.poll(() => location.pathname).toBe('/m/withdraw');
});

test.each([
  ['a refusal by the other service', 'outside=failed', {}],
  [
    'an unknown account',
    'ticket=ticket-1',
    {
      'POST /wps/session/login': new Failing(422, 'outside.register', {
        args: { ticket: 'ticket-2' },
      }),
    },
  ],
])(
  'ER-04 a member who logs in again sees an error after %s, and keeps the session',
  async (_, query, answers) => {
    toast.hide();
    const shownErrors = vi.spyOn(toast, 'error');
    withAnswers(answers);
    logIn(false);
    history.replaceState(null, '', `/m/login?${query}&return=/m/withdraw`);
    renderScreen(
      <StrictMode>
        <LoginScreen />
        <ToastViewport />
      </StrictMode>,
    );
    expect(await screen.findByText(/That way of logging in did not work/)).toBeVisible();
    await expect.poll(() => location.pathname).toBe('/m/withdraw');
    // Once, although the screen renders several times before it closes.
    expect(shownErrors).toHaveBeenCalledTimes(1);
    expect(currentSession()?.token).toBe('token-1');
  },
);

test.each([
  [['EN', 'VI'], 1],
  [['EN'], 0],
])('LG-03 languages part: %j offers this many choices: %i', async (languages, choices) => {
  withAnswers({
    'GET /wps/system/settings/consolidated': {
      ...settings,
      merchantName: 'Known by now',
      languages,
      pickerLanguages: languages,
    },
  });
  renderScreen(<LoginScreen />);
  await screen.findByText('Known by now');
  expect(screen.queryAllByRole('combobox', { name: 'Language' })).toHaveLength(choices);
});
