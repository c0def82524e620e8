import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Button } from './Button.tsx';
import { Empty } from './Empty.tsx';

test('shows title, text and actions', () => {
  render(
    <Empty
      title="No game found"
      text="Nothing matches"
      actions={<Button size="md">Hot games</Button>}
    />,
  );
  expect(screen.getByText('No game found')).toBeVisible();
  expect(screen.getByText('Nothing matches')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Hot games' })).toBeVisible();
});

test('the picture is decorative', () => {
  const { container } = render(<Empty title="No game found" art="/m/art/icons/search.webp" />);
  expect(container.querySelector('img')?.alt).toBe('');
});

test('shows the icon when the picture fails to load', () => {
  const { container } = render(<Empty title="Soon" art="/m/art/spots/soon.webp" icon="clock" />);
  fireEvent.error(container.querySelector('img')!);
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('use')?.getAttribute('href')).toMatch(/#clock$/);
});
