import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { Button } from './Button.tsx';

test('reports a press', async () => {
  const onPress = vi.fn();
  render(<Button onPress={onPress}>Log in</Button>);
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
  expect(onPress).toHaveBeenCalledTimes(1);
});

test('a busy button ignores presses, submits no form and stays focusable', async () => {
  const onPress = vi.fn();
  const onSubmit = vi.fn();
  render(
    <form onSubmit={onSubmit}>
      <Button type="submit" busy onPress={onPress}>
        Log in
      </Button>
    </form>,
  );
  const button = screen.getByRole('button');
  await userEvent.click(button);
  expect(onPress).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();
  expect(button.hasAttribute('disabled')).toBe(false);
  expect(button.getAttribute('aria-busy')).toBe('true');
});

test('a busy button keeps its width and accessible name', () => {
  render(<Button busy>Log in</Button>);
  expect(screen.getByRole('button', { name: 'Log in' })).toBeVisible();
  expect(screen.getByText('Log in').classList.contains('hidden')).toBe(true);
});
