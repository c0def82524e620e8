import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Skeleton } from './Skeleton.tsx';

test('has the given size and is hidden from screen readers', () => {
  const { container } = render(<Skeleton width={120} height={18} shape="box" />);
  const box = container.firstElementChild as HTMLElement;
  expect([box.style.inlineSize, box.style.blockSize]).toEqual(['120px', '18px']);
  expect(box.getAttribute('aria-hidden')).toBe('true');
});
