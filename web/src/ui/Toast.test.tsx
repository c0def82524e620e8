import { msg } from '@lingui/core/macro';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { advanceTime } from '../lib/testing/time.ts';
import { ToastViewport } from './Toast.tsx';
import { toast } from './toastStore.ts';

afterEach(() => {
  act(() => toast.hide());
  vi.useRealTimers();
});

test('messages are polite, errors are alerts', () => {
  renderUi(<ToastViewport />);
  act(() => void toast.success(msg`Changes saved`));
  expect(screen.getByRole('status').textContent).toBe('Changes saved');
  act(() => void toast.error('Network unstable'));
  expect(screen.getByRole('alert').textContent).toBe('Network unstable');
  expect(screen.getByRole('status').textContent).toBe('');
});

test('leaves the live region after its time, and the page after its fade', () => {
  vi.useFakeTimers();
  renderUi(<ToastViewport />);
  act(() => void toast.success('Changes saved'));
  advanceTime(1000);
  expect(screen.getByRole('status').textContent).toBe('');
  expect(document.body.textContent).toBe('Changes saved');
  advanceTime(200);
  expect(document.body.textContent).toBe('');
});

test('an action runs once and closes the toast', async () => {
  const onPress = vi.fn();
  renderUi(<ToastViewport />);
  act(() => void toast.error('Network unstable', { action: { label: 'Try again', onPress } }));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onPress).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('alert').textContent).toBe('');
});

test('only a blocking loading toast covers the screen', () => {
  renderUi(<ToastViewport />);
  act(() => void toast.loading());
  expect(screen.getByRole('status').textContent).toBe('Please wait');
  expect(screen.queryByTestId('toast-blocker')).toBeNull();
  act(() => void toast.loading({ text: 'Logging out', blocking: true }));
  expect(screen.getByTestId('toast-blocker')).toBeVisible();
});

test('only a persistent toast has a close button', async () => {
  renderUi(<ToastViewport />);
  act(() => void toast.show('Passing'));
  expect(screen.queryByRole('button')).toBeNull();
  act(() => void toast.show('A new version is ready', { persistent: true }));
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.getByRole('status').textContent).toBe('');
});

test('only a toast with a button takes taps', () => {
  renderUi(<ToastViewport />);
  act(() => void toast.loading());
  expect(document.querySelector('.toast')?.classList).not.toContain('pressable');
  act(() => void toast.show('New', { action: { label: 'Reload', onPress: () => {} } }));
  expect(document.querySelector('.toast')?.classList).toContain('pressable');
});
