import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { VendorLogo } from './VendorLogo.tsx';

test('shows the first letter without a logo or when it fails to load', () => {
  const { container, rerender } = render(<VendorLogo icon="" name="Ánh Sao" />);
  expect(screen.getByText('Á').getAttribute('aria-hidden')).toBe('true');
  rerender(<VendorLogo icon="https://cdn.test/a.webp" name="Ánh Sao" />);
  const picture = container.querySelector('img')!;
  expect(picture.getAttribute('src')).toBe('https://cdn.test/a.webp');
  expect(screen.queryByText('Á')).toBeNull();
  fireEvent.error(picture);
  expect(screen.getByText('Á')).toBeVisible();
});
