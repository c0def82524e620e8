import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { clearTicket } from '../../api/external-login.ts';
import { clearSession } from '../../api/session.ts';
import { navigate } from '../../lib/router.tsx';
import { answerWith } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { settings } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import RegisterScreen from './RegisterScreen.tsx';

export const grant = { token: 'token-1', userName: 'minhanh92', type: 0, firstTimeLogin: false };

export type Setting = typeof golden.body.value;
export const served: Setting = golden.body.value;

export function withSetting(more: Partial<Setting> = {}, answers: Record<string, unknown> = {}) {
  return answerWith({
    'GET /wps/system/settings/consolidated': settings,
    'GET /wps/system/setting/register': { ...served, ...more },
    'GET /wps/relay/MCSFE_getListAnnouncements': [],
    'GET /wps/captcha': 'data:image/png;base64,AAAA',
    'GET /wps/check/username': { available: true },
    'PUT /wps/member/register': grant,
    'PUT /wps/member/register/mobile': grant,
    ...answers,
  });
}

export function withFields(changes: Record<string, object>): Partial<Setting> {
  return {
    fields: served.fields.map((each) => Object.assign({}, each, changes[each.name])),
  };
}

/** Starts a test logged out, with nothing typed. */
export function resetRegistration(): void {
  clearSession();
  clearTicket();
  toast.hide();
  // Leaving the registration discards the draft.
  navigate('/m/home');
  navigate('/m/register');
}

export const renderRegister = () =>
  renderScreen(
    <>
      <RegisterScreen />
      <ToastViewport />
    </>,
  );
export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
export const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Register' });

export async function fill(values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values)) {
    // oxlint-disable-next-line no-await-in-loop -- fields are filled in order
    const input = await field(label);
    // oxlint-disable-next-line no-await-in-loop
    await enter(input, text);
  }
}

export async function confirmAge(): Promise<void> {
  await userEvent.click(await screen.findByRole('checkbox', { name: /or older/ }));
}

export const good = {
  'Username *': 'minhanh92',
  'Password *': 'Secret123',
  'Confirm password *': 'Secret123',
  'Captcha *': '123456',
};
