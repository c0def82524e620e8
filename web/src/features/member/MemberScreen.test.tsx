import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { clearSession, startSession } from '../../api/session.ts';
import { closeOverlay, useOverlayStore } from '../../lib/overlays.ts';
import { localStore } from '../../lib/storage.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { homeAnswers, switches } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import MemberScreen from './MemberScreen.tsx';

const security = {
  level: 2,
  hasPassword: true,
  mobile: '+84******678',
  email: '',
  paymentPassword: false,
  question: '',
  sessions: 1,
};

function logIn(type: number): void {
  startSession({
    token: 'token-1',
    type,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
}

function show(answers: Record<string, unknown> = {}) {
  const requests = answerWith({ ...homeAnswers, 'GET /wps/member/security': security, ...answers });
  const shown = renderScreen(
    <>
      <MemberScreen />
      <ToastViewport />
    </>,
  );
  return { ...shown, requests };
}

const links = () => [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'));

beforeEach(() => {
  clearSession();
  localStore.remove('hideBalance');
  closeOverlay();
  toast.hide();
  history.replaceState(null, '', '/m/member/home');
  logIn(0);
});

test('EN-04 app part: the member’s id, names, VIP label and wallet are shown', async () => {
  show();
  expect(await screen.findByText('Minh Anh')).toBeVisible();
  expect(screen.getByText('demo88')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy ID 7' })).toBeVisible();
  expect(screen.getAllByText('VIP 3')).toHaveLength(2);
  expect(await screen.findByText('12,480,500 ₫')).toBeVisible();
});

test('a member without a VIP label has no badge and no level', async () => {
  const member = { ...homeAnswers['GET /wps/member/info'], clubLabel: { labelName: '' } };
  show({ 'GET /wps/member/info': member });
  await screen.findByText('Minh Anh');
  const card = document.querySelector<HTMLElement>('a[href="/m/member/vip"]');
  expect(card?.textContent).toBe('VIPWhat your level brings youPrivileges');
  expect(screen.queryByText('0')).toBeNull();
});

test('the eye hides the balance, also after a reload', async () => {
  const first = show();
  await screen.findByText('12,480,500 ₫');
  const eye = screen.getByRole('button', { name: 'Hide the balance' });
  expect(eye.getAttribute('aria-pressed')).toBe('false');
  await userEvent.click(eye);
  expect(screen.getByText('••••••')).toBeVisible();
  first.unmount();
  show();
  expect(screen.getByText('••••••')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Hide the balance' }));
  expect(await screen.findByText('12,480,500 ₫')).toBeVisible();
});

test('the balance can be refreshed, and a failure is reported', async () => {
  let fails = false;
  const wallet = homeAnswers['GET /wps/v2/wallets/balance'];
  const { requests } = show({
    'GET /wps/v2/wallets/balance': () => (fails ? new Failing(503, 'system.unavailable') : wallet),
  });
  await screen.findByText('12,480,500 ₫');
  fails = true;
  const before = requests.length;
  await userEvent.click(screen.getByRole('button', { name: 'Refresh balance' }));
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(requests.length).toBe(before + 1);
  expect(screen.getByText('12,480,500 ₫')).toBeVisible();
});

test('the id can be copied, and a refusal by the browser is reported', async () => {
  const user = userEvent.setup();
  show();
  await user.click(await screen.findByRole('button', { name: 'Copy ID 7' }));
  expect(await navigator.clipboard.readText()).toBe('7');
  expect(await screen.findByText('Copied')).toBeVisible();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('refused'));
  await user.click(screen.getByRole('button', { name: 'Copy ID 7' }));
  expect(await screen.findByText('It cannot be copied here')).toBeVisible();
});

test('the settings offer theme and language', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Settings' }));
  const sheet = await screen.findByRole('dialog', { name: 'Settings' });
  const languages = within(sheet).getByRole('radiogroup', { name: 'Language' });
  expect(await within(languages).findAllByRole('radio')).toHaveLength(4);
  const themes = within(sheet).getByRole('radiogroup', { name: 'Appearance' });
  expect(within(themes).getAllByRole('radio')).toHaveLength(2);
});

test('shortcuts and links follow the merchant’s switches', async () => {
  const on = show();
  await screen.findByRole('link', { name: 'Betting record' });
  await screen.findByText('Security: low');
  expect(links()).toEqual(
    expect.arrayContaining([
      '/m/member/manualRebate',
      '/m/inviteFriends',
      '/m/webEmail',
      '/m/member/transfer',
      '/m/member/transactions',
      '/m/member/profile',
      '/m/changePsw',
    ]),
  );
  on.unmount();
  show({ 'GET /wps/system/whitelabel': { flags: {}, modules: {}, promotions: {} } });
  await screen.findByRole('link', { name: 'Betting record' });
  await screen.findByText('Security: low');
  const off = 'manualRebate inviteFriends webEmail transfer transactions profile changePsw';
  for (const path of off.split(' ')) {
    expect(links().filter((link) => link?.endsWith(path))).toEqual([]);
  }
});

test('EN-05 agent part: types 1 and 2 see the agent screens, type 0 does not', async () => {
  for (const [type, seen] of [
    [0, false],
    [1, true],
    [2, true],
  ] as const) {
    logIn(type);
    const { unmount } = show({ 'GET /wps/system/whitelabel': switches });
    // oxlint-disable-next-line no-await-in-loop -- one screen after another
    await screen.findByRole('link', { name: 'Betting record' });
    expect(links().includes('/m/member/agent')).toBe(seen);
    unmount();
  }
});

test('the security card shows the level, what is set and what to do next', async () => {
  const low = show();
  expect(await screen.findByText('Security: low')).toBeVisible();
  expect(screen.getByText('Set a payment password to raise it')).toBeVisible();
  const part = (name: string) =>
    document.querySelector(`a[href="/m/member/security?part=${name}"]`)?.textContent;
  expect(part('mobile')).toBe('Mobile numberSet');
  expect(part('payment')).toBe('Payment passwordNot set');
  expect(part('email')).toBe('E-mailNot set');
  low.unmount();
  show({
    'GET /wps/member/security': {
      ...security,
      level: 4,
      email: 'm***@x.vn',
      paymentPassword: true,
    },
  });
  expect(await screen.findByText('Security: high')).toBeVisible();
  expect(screen.getByText('Your account is well guarded')).toBeVisible();
});

test('the security card shows a number that is not verified', async () => {
  const unverified = { mobile: '', unprovedDialingCode: '84', unprovedMobile: '912345678' };
  show({ 'GET /wps/member/security': { ...security, ...unverified } });
  expect(await screen.findByText('Verify your mobile number to raise it')).toBeVisible();
  const number = document.querySelector('a[href="/m/member/security?part=mobile"]');
  expect(number?.textContent).toBe('Mobile numberNot verified');
});

test('the security card omits channels that cannot send a code', async () => {
  const { value } = golden.body;
  show({
    'GET /wps/system/setting/register': { ...value, reset: { ...value.reset, channels: [] } },
    'GET /wps/member/security': { ...security, level: 1, mobile: '' },
  });
  expect(await screen.findByText('Set a payment password to raise it')).toBeVisible();
  expect(links().filter((to) => to?.includes('part='))).toEqual([
    '/m/member/security?part=payment',
  ]);
});

test('a member who joined with an external account is advised to set a password', async () => {
  show({ 'GET /wps/member/security': { ...security, level: 1, hasPassword: false } });
  expect(await screen.findByText('Set a password to raise it')).toBeVisible();
  expect(document.querySelector('a[href="/m/changePsw"]')?.textContent).toBe('PasswordNot set');
});

test('a failed load of the security card can be retried', async () => {
  let fails = true;
  show({
    'GET /wps/member/security': () => (fails ? new Failing(503, 'system.unavailable') : security),
  });
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  fails = false;
  await userEvent.click(retry);
  expect(await screen.findByText('Security: low')).toBeVisible();
});

test('logging out asks for confirmation', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  expect(useOverlayStore.getState().open).toBe('logout');
});
