import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Icon } from './Icon.tsx';

test('points into the sprite and is hidden from assistive technology', () => {
  const { container } = render(<Icon name="star" size={15} />);
  const svg = container.querySelector('svg');
  expect(svg?.getAttribute('aria-hidden')).toBe('true');
  expect(svg?.getAttribute('width')).toBe('15');
  expect(svg?.querySelector('use')?.getAttribute('href')).toMatch(/icons\.svg#star$/);
});

test('only icons that point along the text turn round', () => {
  const { container } = render(
    <>
      <Icon name="arrow-left" />
      <Icon name="star" />
    </>,
  );
  const [arrow, star] = container.querySelectorAll('svg');
  expect(arrow?.classList.contains('pointing')).toBe(true);
  expect(star?.classList.contains('pointing')).toBe(false);
});
