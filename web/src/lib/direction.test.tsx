import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';

import { useDirection } from './direction.ts';

afterEach(() => document.documentElement.removeAttribute('dir'));

const Direction = () => <p>{useDirection()}</p>;

test('follows the document, and defaults to left to right', async () => {
  render(<Direction />);
  expect(screen.getByText('ltr')).toBeVisible();
  await act(async () => {
    document.documentElement.dir = 'rtl';
  });
  expect(screen.getByText('rtl')).toBeVisible();
});
