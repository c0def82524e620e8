import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { loadCleaner, SafeHtml } from './SafeHtml.tsx';

test('a text waits for its cleaner behind a placeholder', async () => {
  const { container } = render(<SafeHtml html="<p>Welcome</p><script>alert(1)</script>" />);
  expect(container.textContent).toBe('');
  await screen.findByText('Welcome');
  expect(container.querySelector('script')).toBeNull();
});

test('a text stands in its full size at once where the cleaner is there', async () => {
  await loadCleaner();
  const { container } = render(<SafeHtml html="<p>Welcome</p>" />);
  expect(container.textContent).toBe('Welcome');
  expect(container.children).toHaveLength(1);
});
