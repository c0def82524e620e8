import type { Page } from '@playwright/test';

/** Turns the network off or on. Sets `navigator.onLine` too, which the emulation omits on pages loaded by a service worker. */
export async function setOffline(page: Page, offline: boolean): Promise<void> {
  await page.context().setOffline(offline);
  await page.addInitScript(setOnLine, offline);
  await page.evaluate(setOnLine, offline);
  if (!offline) await page.evaluate(() => void dispatchEvent(new Event('online')));
}

function setOnLine(offline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => !offline });
}

export async function alterAnswer(
  page: Page,
  url: string,
  change: (value: Record<string, object>) => unknown,
): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: Record<string, object> };
    await route.fulfill({ response, json: { ...body, value: change(body.value) } });
  });
}
