import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { useReducedMotion } from './motion.ts';

const Shown = () => <p>{useReducedMotion() ? 'still' : 'moving'}</p>;

test('follows the reader’s setting', () => {
  const list = Object.assign(window.matchMedia(''), { matches: false });
  vi.spyOn(window, 'matchMedia').mockReturnValue(list);
  render(<Shown />);
  expect(screen.getByText('moving')).toBeTruthy();
  act(() => {
    Object.assign(list, { matches: true });
    list.dispatchEvent(new Event('change'));
  });
  expect(screen.getByText('still')).toBeTruthy();
});
