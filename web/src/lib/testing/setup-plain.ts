// Sets up tests without a page. Vitest loads it before each test file. Files share one worker.
import { afterAll, vi } from 'vitest';

// Reset the state of the app's modules for each file.
vi.resetModules();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
