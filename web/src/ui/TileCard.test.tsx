import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { TileCard } from './TileCard.tsx';

const tile = { name: 'Rồng Vàng', art: '/a.webp', vendor: 'Jade Lantern', href: '/m/x' };

test('LB-04 in part: shows picture, vendor, star and name; screen readers get the name once', () => {
  render(<TileCard {...tile} corner={<button type="button">star</button>} caption="Rồng Vàng" />);
  expect(screen.getByRole('link', { name: 'Rồng Vàng' })).toBeVisible();
  expect(screen.getByText('Jade Lantern')).toBeVisible();
  expect(screen.getByRole('button', { name: 'star' })).toBeVisible();
  const captions = screen.getAllByText('Rồng Vàng').filter((each) => each.tagName === 'P');
  expect(captions.map((each) => each.getAttribute('aria-hidden'))).toEqual(['true']);
});

test('the reason for a closed game replaces its label', () => {
  const { rerender } = render(<TileCard {...tile} mark="New" />);
  expect(screen.getByText('New')).toBeVisible();
  rerender(<TileCard {...tile} mark="New" closed="Maintenance" />);
  expect(screen.queryByText('New')).toBeNull();
  expect(screen.getByText('Maintenance')).toBeVisible();
});
