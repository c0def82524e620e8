import type { Locator } from '@playwright/test';

/** Taps a button that goes by itself when what it offers has come, as the app asks again once it finds the network back. */
export async function tapIfThere(button: Locator): Promise<void> {
  await button.tap({ timeout: 5_000 }).catch(async (error: unknown) => {
    if ((await button.count()) > 0) throw error;
  });
}
