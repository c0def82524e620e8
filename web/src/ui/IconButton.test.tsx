import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { IconButton } from './IconButton.tsx';

test('is named by its label and tells a press', async () => {
  const onPress = vi.fn();
  render(<IconButton icon="star" label="Add to favourites" onPress={onPress} />);
  await userEvent.click(screen.getByRole('button', { name: 'Add to favourites' }));
  expect(onPress).toHaveBeenCalledTimes(1);
});

test('takes no press while busy', async () => {
  const onPress = vi.fn();
  render(<IconButton icon="star" label="Add to favourites" busy onPress={onPress} />);
  await userEvent.click(screen.getByRole('button'));
  expect(onPress).not.toHaveBeenCalled();
});

test('tells whether it is on', () => {
  render(<IconButton icon="star-fill" label="Favourite" pressed />);
  expect(screen.getByRole('button', { pressed: true })).toBeTruthy();
});

test('the count is part of the name', () => {
  render(<IconButton icon="sliders-horizontal" label="Filter" badge={120} />);
  expect(screen.getByRole('button', { name: 'Filter, 99+' })).toBeTruthy();
});
