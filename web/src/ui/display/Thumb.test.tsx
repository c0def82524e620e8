import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Thumb } from './Thumb.tsx';

const art = '/m/art/tiles/rng-001.webp';

const image = (container: HTMLElement) => container.querySelector('img')!;

test('has its size and is decoded asynchronously', () => {
  const { container } = render(<Thumb art={art} width={44} height={56} />);
  const attribute = (name: string) => image(container).getAttribute(name);
  expect(['width', 'height', 'decoding'].map(attribute)).toEqual(['44', '56', 'async']);
});

test('LB-04 default image part: without a picture, or if it fails to load, the default one is shown; a new picture is tried', () => {
  const { container, rerender } = render(<Thumb art={art} width={44} height={56} />);
  fireEvent.error(image(container));
  const shown = () => image(container).getAttribute('src');
  expect(shown()).toMatch(/art\/tiles\/default\.webp$/);
  rerender(<Thumb art="/m/art/tiles/rng-002.webp" width={44} height={56} />);
  expect(shown()).toBe('/m/art/tiles/rng-002.webp');
  rerender(<Thumb art="" width={44} height={56} />);
  expect(shown()).toMatch(/art\/tiles\/default\.webp$/);
});

test('has a srcset for game art, none for the default picture', () => {
  const { container } = render(<Thumb art={art} width={44} height={56} />);
  const attribute = (name: string) => image(container).getAttribute(name);
  expect(attribute('srcset')).toBe(`/m/art/tiles/rng-001.small.webp 240w, ${art} 360w`);
  expect(attribute('sizes')).toBe('44px');
  fireEvent.error(image(container));
  expect(attribute('srcset')).toBeNull();
  expect(attribute('src')).toMatch(/tiles\/default\.webp$/);
});

test('shows the fallback when loading fails', () => {
  const { container } = render(<Thumb art={art} width={44} height={56} fallback={<p>disc</p>} />);
  fireEvent.error(image(container));
  expect(screen.getByText('disc')).toBeVisible();
  expect(container.querySelector('img')).toBeNull();
});
