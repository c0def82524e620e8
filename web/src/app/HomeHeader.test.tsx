import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../api/session.ts';
import { closeOverlay } from '../lib/overlays.ts';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { homeAnswers } from '../lib/testing/fixtures.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { toast } from '../ui/toastStore.ts';
import { Shell } from './Shell.tsx';

const wallet = 'GET /wps/v2/wallets/balance';

beforeEach(() => {
  clearSession();
  closeOverlay();
  toast.hide();
});

function open(path: string, type: number, more: Record<string, unknown> = {}) {
  const session = { token: 't', type, userName: 'demo88', merchantCode: 'm' };
  startSession({ ...session, firstTimeLogin: false });
  history.replaceState(null, '', path);
  const answers: Record<string, unknown> = { ...homeAnswers, ...more };
  answerWith(answers);
  renderScreen(<Shell />);
  return answers;
}

test('a balance that cannot be had says why, and is asked for again by a tap', async () => {
  const answers = open('/m/home', 0, { [wallet]: new Failing(503, 'request.timeout') });
  const again = await screen.findByRole('button', { name: /took too long.*Refresh balance$/ });
  await userEvent.click(again);
  expect((await screen.findByRole('alert')).textContent).toMatch(/took too long/);
  answers[wallet] = homeAnswers[wallet];
  await userEvent.click(again);
  expect(await screen.findByText('12,480,500 ₫')).toBeDefined();
  expect(screen.queryByRole('button', { name: /Refresh balance$/ })).toBeNull();
});

test('HD-02 in part: what cannot be had of a member leaves no place that waits for it', async () => {
  const info = 'GET /wps/member/info';
  let fail!: (failure: unknown) => void;
  open('/m/home', 0, { [info]: () => new Promise((resolve) => (fail = resolve)) });
  const who = await screen.findByRole('link', { name: 'demo88' });
  const places = () => [...who.children].filter((child) => child.tagName !== 'BDI');
  await expect.poll(() => places()).toHaveLength(1);
  fail(new Failing(500, 'system.error'));
  await expect.poll(() => places()).toHaveLength(0);
  expect(who.textContent).toBe('demo88');
});

test('the menu says why the balance is not there, and what went wrong with a refresh', async () => {
  const answers = open('/m/home', 0, { [wallet]: new Failing(503, 'request.timeout') });
  await userEvent.click(await screen.findByRole('button', { name: 'Menu' }));
  const menu = within(await screen.findByRole('dialog', { name: 'Menu' }));
  expect(await menu.findByText(/took too long/)).toBeDefined();
  answers[wallet] = homeAnswers[wallet];
  await userEvent.click(menu.getByRole('button', { name: 'Refresh balance' }));
  expect(await menu.findByText('12,480,500 ₫')).toBeDefined();
  answers[wallet] = new Failing(500, 'system.error');
  await userEvent.click(menu.getByRole('button', { name: 'Refresh balance' }));
  expect(await screen.findByText(/^System error/)).toBeDefined();
  expect(menu.getByText('12,480,500 ₫')).toBeDefined();
});

const registerPrompt = () => screen.findByRole('alertdialog', { name: /playing as a guest/ });

test.each(['in the header', 'in the menu'])(
  'BM-05 guest part: the own name %s asks a guest to register',
  async (place) => {
    open('/m/home', 4);
    let where = within(await screen.findByRole('banner'));
    if (place === 'in the menu') {
      await userEvent.click(where.getByRole('button', { name: 'Menu' }));
      where = within(await screen.findByRole('dialog', { name: 'Menu' }));
    }
    await userEvent.click(await where.findByRole('link', { name: /^Minh Anh/ }));
    expect(await registerPrompt()).toBeDefined();
    expect(location.pathname).toBe('/m/home');
  },
);

test('BM-05 guest part: so does the address of the member centre itself, over home', async () => {
  open('/m/member/home', 4);
  expect(await registerPrompt()).toBeDefined();
  await expect.poll(() => location.pathname).toBe('/m/home');
});

test('the member centre is open to whoever has an account', async () => {
  open('/m/member/home', 0);
  expect(await screen.findByRole('heading', { level: 1, name: 'Member centre' })).toBeDefined();
});
