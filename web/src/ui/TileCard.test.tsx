import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { TileCard } from './TileCard.tsx';

const tile = { name: 'Rồng Vàng', art: '/a.webp', vendor: 'Jade Lantern', href: '/m/x' };

test('LB-04 in part: picture, vendor, star and name; the name under it is not read twice', () => {
  render(<TileCard {...tile} corner={<button type="button">star</button>} caption="Rồng Vàng" />);
  expect(screen.getByRole('link', { name: 'Rồng Vàng' })).toBeTruthy();
  expect(screen.getByText('Jade Lantern')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'star' })).toBeTruthy();
  const captions = screen.getAllByText('Rồng Vàng').filter((each) => each.tagName === 'P');
  expect(captions.map((each) => each.getAttribute('aria-hidden'))).toEqual(['true']);
});

test('what keeps a game from being played stands before what recommends it', () => {
  const { rerender } = render(<TileCard {...tile} mark="New" />);
  expect(screen.getByText('New')).toBeTruthy();
  rerender(<TileCard {...tile} mark="New" closed="Maintenance" />);
  expect(screen.queryByText('New')).toBeNull();
  expect(screen.getByText('Maintenance')).toBeTruthy();
});
