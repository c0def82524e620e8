import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { Tile } from './Tile.tsx';

const art = '/m/art/tiles/rng-001.webp';

test('is a link named by the game, its picture decoration', () => {
  const onPress = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
  const { container } = render(
    <Tile name="Rồng Vàng" art={art} vendor="JL" href="/m/x" onPress={onPress} />,
  );
  const link = screen.getByRole('link', { name: 'Rồng Vàng' });
  expect(link.getAttribute('href')).toBe('/m/x');
  fireEvent.click(link);
  expect(onPress).toHaveBeenCalledTimes(1);
  expect(container.querySelector('img')?.alt).toBe('');
  expect(screen.getByText('JL')).toBeTruthy();
});

test('a missing picture gives the default one, a new picture is tried again', () => {
  const { container, rerender } = render(<Tile name="a" art={art} href="/m/x" />);
  const image = () => container.querySelector('img') as HTMLImageElement;
  expect(image().getAttribute('src')).toBe(art);
  fireEvent.error(image());
  expect(image().getAttribute('src')).toMatch(/art\/tiles\/default\.webp$/);
  rerender(<Tile name="a" art="/m/art/tiles/rng-002.webp" href="/m/x" />);
  expect(image().getAttribute('src')).toBe('/m/art/tiles/rng-002.webp');
});

test('keeps its box: the picture carries its size, and waits unless it is above the fold', () => {
  const { container, rerender } = render(<Tile name="a" art={art} href="/m/x" />);
  const attribute = (name: string) => container.querySelector('img')?.getAttribute(name);
  expect([attribute('width'), attribute('height')]).toEqual(['360', '480']);
  expect(attribute('loading')).toBe('lazy');
  rerender(<Tile name="a" art={art} href="/m/x" eager />);
  expect(attribute('loading')).toBe('eager');
  expect(attribute('fetchpriority')).toBe('high');
});

test('a name in another language than the app says so, and runs in its own direction', () => {
  render(<Tile name="Golden Dragon (2)" lang="en" art={art} vendor="JL" href="/m/x" />);
  const name = screen.getByText('Golden Dragon (2)').parentElement;
  expect([name?.lang, name?.dir]).toEqual(['en', 'auto']);
  expect(screen.getByText('JL').dir).toBe('auto');
});
