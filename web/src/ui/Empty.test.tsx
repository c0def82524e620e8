import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Button } from './Button.tsx';
import { Empty } from './Empty.tsx';

test('says what is missing, why, and what to do', () => {
  render(
    <Empty
      title="No game found"
      text="Nothing matches"
      actions={<Button size="md">Hot games</Button>}
    />,
  );
  expect(screen.getByText('No game found')).toBeTruthy();
  expect(screen.getByText('Nothing matches')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Hot games' })).toBeTruthy();
});

test('its picture is decoration', () => {
  const { container } = render(<Empty title="No game found" art="/m/art/icons/search.webp" />);
  expect(container.querySelector('img')?.alt).toBe('');
});

test('where its picture cannot be had the icon stands there', () => {
  const { container } = render(<Empty title="Soon" art="/m/art/spots/soon.webp" icon="clock" />);
  fireEvent.error(container.querySelector('img')!);
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('use')?.getAttribute('href')).toMatch(/#clock$/);
});
