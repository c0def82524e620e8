import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { Tile } from './Tile.tsx';

const art = '/m/art/tiles/rng-001.webp';

test('is a link named by the game, with a decorative picture', () => {
  const onLaunch = vi.fn();
  const { container } = render(
    <Tile name="Rồng Vàng" art={art} vendor="JL" href="/m/x" onLaunch={onLaunch} />,
  );
  const link = screen.getByRole('link', { name: 'Rồng Vàng' });
  expect(link.getAttribute('href')).toBe('/m/x');
  fireEvent.click(link);
  expect(onLaunch).toHaveBeenCalledTimes(1);
  expect(container.querySelector('img')?.alt).toBe('');
  expect(screen.getByText('JL')).toBeVisible();
});

test.each([
  ['Jade Lantern', true],
  ['Lotto Ba Miền', true],
  ['Fire Comet', false],
  // This long word would break.
  ['Northern Entertainment', false],
])('the name %s wraps to two lines: %s', (vendor, narrow) => {
  render(<Tile name="a" art={art} href="/m/x" vendor={vendor} />);
  const chip = screen.getByText(vendor).parentElement!;
  expect(Boolean(chip.style.maxInlineSize)).toBe(narrow);
});

test('KO-05 long press part: a long press presses the star and starts no game', () => {
  vi.useFakeTimers();
  const [onLaunch, onStar] = [vi.fn(), vi.fn()];
  const star = (
    <button type="button" onClick={onStar}>
      star
    </button>
  );
  render(<Tile name="a" art={art} href="/m/x" onLaunch={onLaunch} corner={star} />);
  const link = screen.getByRole('link');
  const longPress = (pointerType: string) => {
    fireEvent.pointerDown(link, { pointerType });
    act(() => void vi.advanceTimersByTime(370));
    fireEvent.pointerUp(link, { pointerType });
    fireEvent.click(link);
  };
  longPress('touch');
  expect([onStar.mock.calls.length, onLaunch.mock.calls.length]).toEqual([1, 0]);
  // A slow mouse click is not a long press.
  longPress('mouse');
  expect([onStar.mock.calls.length, onLaunch.mock.calls.length]).toEqual([1, 1]);
  vi.useRealTimers();
});

test('shows the default picture when loading fails, and tries a new one', () => {
  const { container, rerender } = render(<Tile name="a" art={art} href="/m/x" />);
  const image = () => container.querySelector('img') as HTMLImageElement;
  expect(image().getAttribute('src')).toBe(art);
  fireEvent.error(image());
  expect(image().getAttribute('src')).toMatch(/art\/tiles\/default\.webp$/);
  rerender(<Tile name="a" art="/m/art/tiles/rng-002.webp" href="/m/x" />);
  expect(image().getAttribute('src')).toBe('/m/art/tiles/rng-002.webp');
});

test('LB-04 background image part: own pictures have a srcset, the default and vendor pictures have none', () => {
  const { container, rerender } = render(<Tile name="a" art={art} href="/m/x" />);
  const at = (name: string) => container.querySelector('img')?.getAttribute(name);
  expect(at('srcset')).toBe(`/m/art/tiles/rng-001.small.webp 240w, ${art} 360w`);
  expect(at('sizes')).toBe('min(28.9vw,142px)');
  fireEvent.error(container.querySelector('img')!);
  expect([at('srcset'), at('src')]).toEqual([null, expect.stringMatching(/tiles\/default\.webp$/)]);
  rerender(<Tile name="a" art="https://cdn.test/a.webp" href="/m/x" sizes="35vw" />);
  expect([at('srcset'), at('src'), at('sizes')]).toEqual([null, 'https://cdn.test/a.webp', '35vw']);
});

test('keeps the image element while the picture is deferred', () => {
  const { container, rerender } = render(<Tile name="a" art="" href="/m/x" />);
  const image = container.querySelector('img');
  expect(image?.hasAttribute('src')).toBe(false);
  rerender(<Tile name="a" art={art} href="/m/x" />);
  expect(container.querySelector('img')).toBe(image);
  expect(image?.getAttribute('src')).toBe(art);
  expect(image?.getAttribute('loading')).toBe('eager');
});

test('the picture has its size and loads lazily unless eager', () => {
  const { container, rerender } = render(<Tile name="a" art={art} href="/m/x" />);
  const attribute = (name: string) => container.querySelector('img')?.getAttribute(name);
  expect([attribute('width'), attribute('height')]).toEqual(['360', '480']);
  expect(attribute('loading')).toBe('lazy');
  rerender(<Tile name="a" art={art} href="/m/x" eager />);
  expect(attribute('loading')).toBe('eager');
  expect(attribute('fetchpriority')).toBe('high');
});

test('a name in another language has its own lang and direction', () => {
  render(<Tile name="Golden Dragon (2)" lang="en" art={art} vendor="JL" href="/m/x" />);
  const name = screen.getByText('Golden Dragon (2)').parentElement;
  expect([name?.lang, name?.dir]).toEqual(['en', 'auto']);
  expect(screen.getByText('JL').dir).toBe('auto');
});
