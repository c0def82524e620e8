import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Picture } from './Picture.tsx';

const image = (container: HTMLElement) => container.querySelector('img');

test('is decorative and has its size', () => {
  const { container } = render(<Picture src="/m/art/icons/fire.webp" size={32} />);
  expect(image(container)?.alt).toBe('');
  expect(image(container)?.width).toBe(32);
});

test('shows the fallback when loading fails, and tries a new source', () => {
  const { container, rerender } = render(<Picture src="a.webp" size={32} fallback={<p>fox</p>} />);
  fireEvent.error(image(container)!);
  expect(image(container)).toBeNull();
  expect(screen.getByText('fox')).toBeVisible();
  rerender(<Picture src="b.webp" size={32} fallback={<p>fox</p>} />);
  expect(image(container)?.getAttribute('src')).toBe('b.webp');
});

test('keeps the space when loading fails without a fallback', () => {
  const { container } = render(<Picture src="a.webp" size={26} className="face" />);
  fireEvent.error(image(container)!);
  const placeholder = container.querySelector<HTMLElement>('.face');
  expect([placeholder?.tagName, placeholder?.style.inlineSize]).toEqual(['SPAN', '26px']);
});
