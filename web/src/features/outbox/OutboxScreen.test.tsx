import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import OutboxScreen from './OutboxScreen.tsx';

const letter = {
  id: '1',
  channel: 'sms',
  to: '+84912345678',
  subject: '',
  text: 'Your code is 123456. It is good for 5 minutes.',
  kind: 'reset_code',
  state: 'local',
  createdAt: Date.UTC(2026, 2, 14, 9, 26, 53),
};
const mail = {
  ...letter,
  id: '2',
  channel: 'email',
  to: 'a@b.co',
  text: 'Welcome',
  kind: 'welcome',
};

test('shows messages in order with channel, receiver and kind, and copies a code by tap', async () => {
  const user = userEvent.setup();
  answerWith({ 'GET /wps/dev/outbox': [mail, letter] });
  renderScreen(<OutboxScreen />);
  const items = await screen.findAllByRole('listitem');
  expect(items[0]?.textContent).toContain('E-maila@b.co');
  expect(items[0]?.querySelector('button')).toBeNull();
  expect(items[1]?.textContent).toContain('Text message+84912345678');
  expect(items[1]?.textContent).toContain('reset_code');
  await user.click(screen.getByRole('button', { name: 'Copy 123456' }));
  expect(await navigator.clipboard.readText()).toBe('123456');
});

test('refreshes every 3 seconds and by tap', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let all: unknown[] = [];
  const requests = answerWith({ 'GET /wps/dev/outbox': () => all });
  renderScreen(<OutboxScreen />);
  expect(await screen.findByText('No messages yet')).toBeVisible();
  all = [letter];
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await screen.findByText('+84912345678')).toBeVisible();
  const before = requests.length;
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await expect.poll(() => requests.length).toBe(before + 1);
  vi.useRealTimers();
});

test('shows loading, then the error of a server without an outbox', async () => {
  answerWith({ 'GET /wps/dev/outbox': new Failing(404, 'route.unknown') });
  const { container } = renderScreen(<OutboxScreen />);
  expect(container.querySelector('[aria-busy=true]')).not.toBeNull();
  expect(await screen.findByText('Load failed, tap to retry')).toBeVisible();
  expect(screen.getByText('This function does not exist')).toBeVisible();
});
