// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';

import { onFirstInput } from './first-input.ts';

test('calls back once at the first input, and at once after it', () => {
  const first = vi.fn();
  const cancelled = vi.fn();
  onFirstInput(first);
  onFirstInput(cancelled)();
  expect(first).not.toHaveBeenCalled();
  dispatchEvent(new Event('keydown'));
  dispatchEvent(new Event('scroll'));
  expect(first).toHaveBeenCalledOnce();
  expect(cancelled).not.toHaveBeenCalled();
  const later = vi.fn();
  onFirstInput(later);
  expect(later).toHaveBeenCalledOnce();
});
