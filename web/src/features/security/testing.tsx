import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { clearSession, startSession } from '../../api/session.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { settings } from '../../lib/testing/fixtures.ts';
import { clearScreen, renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import SecurityScreen from './SecurityScreen.tsx';

export const unprotected = {
  level: 1,
  hasPassword: true,
  proof: 'password',
  unprovedMobile: '',
  unprovedDialingCode: '',
  unprovedEmail: '',
  paymentReset: '',
  ask: '',
  mobile: '',
  email: '',
  paymentPassword: false,
  question: '',
  sessions: 2,
};

export const thisDevice = {
  id: '1',
  device: 'MOBILE',
  address: '127.0.*.*',
  createdAt: 1_790_000_000_000,
  seenAt: 1_790_000_060_000,
  current: true,
};
export const otherDevice = {
  ...thisDevice,
  id: '2',
  device: 'OTHERS',
  address: '203.0.*.*',
  country: 'BR',
  current: false,
};

const questions = ['first_pet', 'birth_city'];

export async function show(part: string, answers: Record<string, unknown> = {}) {
  await clearScreen();
  history.replaceState(null, '', `/m/member/security${part && `?part=${part}`}`);
  const requests = answerWith({
    'GET /wps/system/settings/consolidated': settings,
    'GET /wps/system/setting/register': golden.body.value,
    'GET /wps/member/security': unprotected,
    'GET /wps/member/securityQuestion': { questions, current: '' },
    'GET /wps/session/list': [thisDevice, otherDevice],
    'POST /wps/verification/sms': { expiredMinutes: 5, expirationTime: Date.now() + 300_000 },
    'POST /wps/verification/email': { expiredMinutes: 5, expirationTime: Date.now() + 300_000 },
    'PUT /wps/member/mobile': {},
    'PUT /wps/member/email': {},
    'PUT /wps/member/paymentPassword': {},
    'PUT /wps/member/securityQuestion': {},
    'DELETE /wps/session/2': {},
    'DELETE /wps/session/others': {},
    ...answers,
  });
  const shown = renderScreen(
    <>
      <SecurityScreen />
      <ToastViewport />
    </>,
  );
  return { ...shown, requests };
}

export const input = async (name: string) => {
  const sheet = await screen.findByRole('dialog');
  await expect.poll(() => sheet.querySelector(`input[name="${name}"]`)).not.toBeNull();
  return sheet.querySelector<HTMLInputElement>(`input[name="${name}"]`)!;
};
export const type = async (name: string, text: string) => enter(await input(name), text);
export const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
export async function sheetToClose(): Promise<void> {
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
}

/** Starts a test as a logged-in member, without a toast. */
export function logIn(): void {
  clearSession();
  toast.hide();
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
}
