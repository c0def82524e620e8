import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Lets faked time go by, and what follows from it reach the page. */
export function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
