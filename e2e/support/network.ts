import type { Page } from '@playwright/test';

/**
 * Takes the network away, or gives it back. A page that its worker brings without a network is told by a real browser that
 * there is none; this one's emulation forgets to, so it is told here.
 */
export async function setOffline(page: Page, offline: boolean): Promise<void> {
  await page.context().setOffline(offline);
  await page.addInitScript(tell, offline);
  await page.evaluate(tell, offline);
  if (!offline) await page.evaluate(() => void dispatchEvent(new Event('online')));
}

function tell(offline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => !offline });
}

/** Lets the server answer a call as it does, but for what is changed. */
export async function alterAnswer(
  page: Page,
  address: string,
  change: (value: Record<string, object>) => unknown,
): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: Record<string, object> };
    await route.fulfill({ response, json: { ...body, value: change(body.value) } });
  });
}
