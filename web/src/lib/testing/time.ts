import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Runs the event loop `count` times, so that pending promises and timers finish. It does not depend on the machine's speed. */
export async function flushEventLoop(count = 20): Promise<void> {
  for (let i = 0; i < count; i += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await new Promise((resolve) => setTimeout(resolve));
}

/** Advances fake timers and applies the state changes that follow. */
export function advanceTime(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}
