import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Picture } from './Picture.tsx';

const image = (container: HTMLElement) => container.querySelector('img');

test('is decoration, with its size', () => {
  const { container } = render(<Picture src="/m/art/icons/fire.webp" size={32} />);
  expect(image(container)?.alt).toBe('');
  expect(image(container)?.width).toBe(32);
});

test('one that cannot be had gives way to what stands for it; another one is tried', () => {
  const { container, rerender } = render(<Picture src="a.webp" size={32} fallback={<p>fox</p>} />);
  fireEvent.error(image(container)!);
  expect(image(container)).toBeNull();
  expect(screen.getByText('fox')).toBeDefined();
  rerender(<Picture src="b.webp" size={32} fallback={<p>fox</p>} />);
  expect(image(container)?.getAttribute('src')).toBe('b.webp');
});

test('without anything to stand for it its place is kept', () => {
  const { container } = render(<Picture src="a.webp" size={26} className="face" />);
  fireEvent.error(image(container)!);
  const place = container.querySelector<HTMLElement>('.face');
  expect([place?.tagName, place?.style.inlineSize]).toEqual(['SPAN', '26px']);
});
