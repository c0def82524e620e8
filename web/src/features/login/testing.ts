import { screen } from '@testing-library/react';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { clearSession } from '../../api/session.ts';
import { navigate } from '../../lib/router.tsx';
import { answerWith } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { settings, switches } from '../../lib/testing/fixtures.ts';

export const grant = { token: 'token-1', userName: 'demo88', type: 0, firstTimeLogin: false };
export const loginCall = 'POST /wps/session/login';
export const setting = golden.body.value;

/** Starts a test logged out, with nothing typed or stored. */
export function resetLogin(): void {
  clearSession();
  localStorage.clear();
  // Leaving the login screens discards the draft.
  navigate('/m/home');
  navigate('/m/login');
}

export const withAnswers = (answers: Record<string, unknown>, more: object = {}) =>
  answerWith({
    'GET /wps/system/settings/consolidated': {
      ...settings,
      signIn: { google: true, facebook: true, sms: true, firebase: null },
      ...more,
    },
    'GET /wps/system/whitelabel': {
      ...switches,
      flags: { MOBILEVERCODELOGIN3: true, FACEBOOKLOGIN3: true, GOOGLELOGIN3: true },
      modules: { FREEPLAY3: true },
    },
    'GET /wps/system/setting/register': setting,
    'GET /wps/captcha': 'data:image/png;base64,AAAA',
    ...answers,
  });

export const username = () =>
  screen.getByLabelText<HTMLInputElement>('Username', { selector: '[name=username]' });
export const password = () => screen.getByLabelText<HTMLInputElement>('Password');
export const login = () => screen.getByRole('button', { name: 'Login' });
export const rememberBox = () => screen.getByRole<HTMLInputElement>('checkbox');
export const logins = (requests: Request[]) =>
  requests.filter(({ url, method }) => method === 'POST' && url.endsWith('/wps/session/login'));

export async function type(name: string, secret: string): Promise<void> {
  await enter(username(), name);
  await enter(password(), secret);
}
