// Loaded by vitest before each file of tests that need no page. Such files share a worker and what is installed.
import { afterAll, vi } from 'vitest';

// Each file has the state of our own modules to itself.
vi.resetModules();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
