import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { useReducedMotion } from './motion.ts';

const Motion = () => <p>{useReducedMotion() ? 'still' : 'moving'}</p>;

test('follows the user’s setting', () => {
  const list = Object.assign(window.matchMedia(''), { matches: false });
  vi.spyOn(window, 'matchMedia').mockReturnValue(list);
  render(<Motion />);
  expect(screen.getByText('moving')).toBeVisible();
  act(() => {
    Object.assign(list, { matches: true });
    list.dispatchEvent(new Event('change'));
  });
  expect(screen.getByText('still')).toBeVisible();
});
