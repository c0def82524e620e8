import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { ErrorRetry } from './ErrorRetry.tsx';

test('ER-02 in part: announces a failed load as an alert, and a tap retries', async () => {
  const onRetry = vi.fn();
  renderUi(<ErrorRetry onRetry={onRetry} detail="42 of 48 games" />);
  expect(screen.getByRole('alert').textContent).toBe('Load failed, tap to retry42 of 48 games');
  await userEvent.click(screen.getByRole('button'));
  await userEvent.click(screen.getByRole('button'));
  expect(onRetry).toHaveBeenCalledTimes(2);
});

test('ignores taps during a retry, and can be tapped again when it fails', async () => {
  const attempts: ((reason: Error) => void)[] = [];
  const onRetry = vi.fn(() => new Promise<void>((_, reject) => attempts.push(reject)));
  renderUi(<ErrorRetry onRetry={onRetry} />);
  const row = screen.getByRole('button');
  await userEvent.click(row);
  await userEvent.click(row);
  expect(onRetry).toHaveBeenCalledTimes(1);
  await act(async () => attempts[0]?.(new Error('still offline')));
  await userEvent.click(row);
  expect(onRetry).toHaveBeenCalledTimes(2);
});

test('shows the network icon only when the server did not respond', () => {
  const { container, rerender } = renderUi(<ErrorRetry onRetry={() => {}} />);
  const icon = () => container.querySelector('use')?.getAttribute('href');
  expect(icon()).toMatch(/#wifi-slash$/);
  rerender(<ErrorRetry onRetry={() => {}} answered />);
  expect(icon()).toMatch(/#warning-circle-fill$/);
});
