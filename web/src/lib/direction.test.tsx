import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';

import { useDirection } from './direction.ts';

afterEach(() => document.documentElement.removeAttribute('dir'));

const Shown = () => <p>{useDirection()}</p>;

test('follows the document, left to right where it says nothing', async () => {
  render(<Shown />);
  expect(screen.getByText('ltr')).toBeTruthy();
  await act(async () => {
    document.documentElement.dir = 'rtl';
  });
  expect(screen.getByText('rtl')).toBeTruthy();
});
