import type { Locator } from '@playwright/test';

/** Taps a retry button, unless the app's own retry removes it first. */
export async function tapIfThere(button: Locator): Promise<void> {
  const detached = button.waitFor({ state: 'detached', timeout: 60_000 });
  const tapped = button.tap({ timeout: 60_000 });
  await Promise.any([tapped, detached]);
  // The later of the two fails, which does not matter.
  detached.catch(() => undefined);
  tapped.catch(() => undefined);
}
