import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Waits for pending promises and timers: a number of turns of the event loop, which works on a slow machine too. */
export async function turns(count = 20): Promise<void> {
  for (let i = 0; i < count; i += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await new Promise((resolve) => setTimeout(resolve));
}

/** Advances fake timers and applies the state changes that follow. */
export function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
