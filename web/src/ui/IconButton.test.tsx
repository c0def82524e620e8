import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { IconButton } from './IconButton.tsx';

test('is named by its label and reports a press', async () => {
  const onPress = vi.fn();
  render(<IconButton icon="star" label="Add to favourites" onPress={onPress} />);
  await userEvent.click(screen.getByRole('button', { name: 'Add to favourites' }));
  expect(onPress).toHaveBeenCalledTimes(1);
});

test('ignores presses while busy', async () => {
  const onPress = vi.fn();
  render(<IconButton icon="star" label="Add to favourites" busy onPress={onPress} />);
  await userEvent.click(screen.getByRole('button'));
  expect(onPress).not.toHaveBeenCalled();
});

test('exposes its pressed state', () => {
  render(<IconButton icon="star-fill" label="Favourite" pressed />);
  expect(screen.getByRole('button', { pressed: true })).toBeVisible();
});

test('the badge is part of the accessible name', () => {
  render(<IconButton icon="sliders-horizontal" label="Filter" badge={120} />);
  expect(screen.getByRole('button', { name: 'Filter, 99+' })).toBeVisible();
});
