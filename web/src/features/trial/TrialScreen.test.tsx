import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, currentSession, openSession } from '../../api/session.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { settings } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import TrialScreen from './TrialScreen.tsx';

const grant = {
  token: 'token-4',
  userName: 'guest123',
  type: 4,
  firstTimeLogin: false,
  trialIndicator: 1,
  trialName: 'guest123',
};

const call = 'POST /wps/session/login/freeplay';

const serve = (answer: unknown, age = 18) =>
  answerWith({
    'GET /wps/system/settings/consolidated': { ...settings, ageLimit: age },
    [call]: answer,
  });

const show = () =>
  renderScreen(
    <>
      <TrialScreen />
      <ToastViewport />
    </>,
  );
const start = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Start playing' });
const trials = (requests: Request[]) => requests.filter(({ url }) => url.endsWith('/freeplay'));

beforeEach(() => {
  clearSession();
  localStorage.clear();
  toast.hide();
  history.replaceState(null, '', '/m/trail');
});

test('PP-08 trial part: the merchant’s age limit must be confirmed before play', async () => {
  const requests = serve(grant, 21);
  show();
  await screen.findByText('I am 21 or older.');
  expect(start().disabled).toBe(true);
  await userEvent.click(screen.getByRole('checkbox'));
  await userEvent.click(start());
  await expect.poll(() => currentSession()?.token).toBe('token-4');
  expect(await trials(requests)[0]?.json()).toEqual({ moduleId: 'FREEPLAY3', ageConfirmed: true });
});

test('ST-02 EN-02 EN-11 shows a loading toast until the trial starts, then opens home and stores name and type', async () => {
  let answer!: (value: unknown) => void;
  const requests = serve(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  show();
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.dblClick(start());
  expect(await screen.findByText('Opening the fairground…')).toBeVisible();
  await expect.poll(() => answer).toBeDefined();
  answer(grant);
  await expect.poll(() => location.pathname).toBe('/m/home');
  await expect.poll(() => screen.queryByText('Opening the fairground…')).toBeNull();
  expect(trials(requests)).toHaveLength(1);
  // The name is in session storage, the type in local storage with the token.
  expect(sessionStorage.getItem('trialName')).toBe('guest123');
  expect(localStorage.getItem('type')).toBe('4');
});

test('ST-02 an indicator of 0 shows a message and stays on the screen', async () => {
  serve({ firstTimeLogin: false, trialIndicator: 0 });
  show();
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.click(start());
  expect(await screen.findByText('Free play is switched off at the moment.')).toBeVisible();
  expect(location.pathname).toBe('/m/trail');
  expect(currentSession()).toBeNull();
  await expect.poll(() => screen.queryByText('Opening the fairground…')).toBeNull();
});

test('an error is shown, and the start can be retried', async () => {
  const answers = [new Failing(429, 'rate.limited'), grant];
  serve(() => Promise.resolve(answers.shift()));
  show();
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.click(start());
  expect(await screen.findByText(/Too many attempts/)).toBeVisible();
  await userEvent.click(start());
  await expect.poll(() => currentSession()?.token).toBe('token-4');
});

test('a running trial continues; a member keeps the session', async () => {
  const requests = serve(grant);
  openSession(grant, 'fairground');
  const { unmount } = show();
  await userEvent.click(await screen.findByRole('button', { name: 'Go on playing' }));
  expect(location.pathname).toBe('/m/home');
  expect(currentSession()?.token).toBe('token-4');
  unmount();

  openSession({ ...grant, token: 'token-1', type: 0 }, 'fairground');
  show();
  expect(await screen.findByText(/You are logged in/)).toBeVisible();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(trials(requests)).toHaveLength(0);
});
