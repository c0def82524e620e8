import type { Locator } from '@playwright/test';

/** Taps a button that goes by itself when what it offers has come, as the app asks again once it finds the network back. */
export async function tapIfThere(button: Locator): Promise<void> {
  const gone = button.waitFor({ state: 'detached', timeout: 60_000 });
  const tapped = button.tap({ timeout: 60_000 });
  await Promise.any([tapped, gone]);
  // Whichever of the two comes too late fails later, and nobody waits for it.
  gone.catch(() => undefined);
  tapped.catch(() => undefined);
}
