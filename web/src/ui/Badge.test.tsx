import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { Badge } from './Badge.tsx';

test.each([
  [1, '1'],
  [99, '99'],
  [100, '99+'],
  [0, ''],
  [-1, ''],
  [Number.NaN, ''],
])('%s shows as "%s"', (count, text) => {
  const { container } = render(<Badge count={count} />);
  expect(container.textContent).toBe(text);
});
