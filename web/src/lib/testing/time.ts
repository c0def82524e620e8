import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Lets what is under way come to its end: turns of the event loop, however long a busy machine takes over each. */
export async function turns(count = 20): Promise<void> {
  for (let i = 0; i < count; i += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await new Promise((resolve) => setTimeout(resolve));
}

/** Lets faked time go by, and what follows from it reach the page. */
export function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
