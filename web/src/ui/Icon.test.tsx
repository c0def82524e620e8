import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Icon } from './Icon.tsx';

test('references the sprite and is hidden from screen readers', () => {
  const { container } = render(<Icon name="star" size={15} />);
  const svg = container.querySelector('svg');
  expect(svg?.getAttribute('aria-hidden')).toBe('true');
  expect(svg?.getAttribute('width')).toBe('15');
  expect(svg?.querySelector('use')?.getAttribute('href')).toMatch(/icons\.svg#star$/);
});

test('mirrors only directional icons', () => {
  const { container } = render(
    <>
      <Icon name="arrow-left" />
      <Icon name="star" />
    </>,
  );
  const [arrow, star] = container.querySelectorAll('svg');
  expect(arrow?.classList.contains('mirrored')).toBe(true);
  expect(star?.classList.contains('mirrored')).toBe(false);
});
