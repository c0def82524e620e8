// A server of canned answers and the login form's parts, for its tests.
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

/** Nobody is here, and nothing was typed or remembered yet. */
export function begin(): void {
  clearSession();
  localStorage.clear();
  // What was typed is kept over the ways in, and no longer.
  navigate('/m/home');
  navigate('/m/login');
}

/** A server with every way in, or with none but names. */
export const site = (answers: Record<string, unknown>, more: object = {}) =>
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
export const box = () => screen.getByRole<HTMLInputElement>('checkbox');
export const logins = (asked: Request[]) =>
  asked.filter(({ url, method }) => method === 'POST' && url.endsWith('/wps/session/login'));

export async function type(name: string, secret: string): Promise<void> {
  await enter(username(), name);
  await enter(password(), secret);
}
