import { act } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { clearSession, startSession } from '../../api/session.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { settings, switches } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
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

test('a login with a password that somebody else chose leads to a first one, and on from there', async () => {
  renderScreen(<LoginScreen />);
  act(() => logIn(true));
  await expect.poll(() => location.pathname).toBe('/m/changePsw');
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/withdraw');
});

test('where passwords cannot be changed nobody is led to it', async () => {
  const modules = { ...switches.modules, CHNGPASSVERIF3: false };
  withAnswers({ 'GET /wps/system/whitelabel': { ...switches, modules } });
  renderScreen(<LoginScreen />);
  act(() => logIn(true));
  await expect.poll(() => location.pathname).toBe('/m/withdraw');
});

test('any other login goes where it was going', async () => {
  renderScreen(<LoginScreen />);
  act(() => logIn(false));
  await expect.poll(() => location.pathname).toBe('/m/withdraw');
});
