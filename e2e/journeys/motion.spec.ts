import { App } from '../pages/app.ts';
import { expect, test } from '../support/test.ts';

test('LY-12 a page comes in within 300 ms; a lazy screen waits 200 ms before its loading state', async ({
  page,
  open,
}) => {
  await open('/m/home');
  const app = new App(page);
  await expect(app.loginLink).toBeVisible();

  // The login screen's code comes late.
  await page.route('**/assets/LoginScreen-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  const waited = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let start = 0;
        addEventListener('click', () => (start = performance.now()), { capture: true, once: true });
        new MutationObserver((_, observer) => {
          if (start === 0 || !document.querySelector('main [role=status]')) return;
          observer.disconnect();
          resolve(performance.now() - start);
        }).observe(document.body, { childList: true, subtree: true });
      }),
  );
  await app.loginLink.tap();
  const loading = await waited;
  expect(loading).toBeGreaterThanOrEqual(200);
  expect(loading).toBeLessThan(1_000);

  const durations = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        document.addEventListener(
          'animationstart',
          () =>
            resolve(
              document
                .querySelector('main')!
                .getAnimations({ subtree: true })
                .map((each) => Number(each.effect?.getComputedTiming().duration)),
            ),
          { once: true, capture: true },
        );
      }),
  );
  await page.getByRole('link', { name: app.text('Forgot password?') }).tap();
  expect(await durations).toContain(300);
});

test('who wants less motion gets none', async ({ page, open }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open('/m/home');
  const app = new App(page);
  await expect(app.loginLink).toBeVisible();
  await app.bottomMenu.getByRole('link').nth(3).tap();
  await expect(page.getByText(app.text('Not open yet'))).toBeVisible();
  const moving = await page.evaluate(
    () =>
      document
        .querySelector('main')!
        .getAnimations({ subtree: true })
        .filter((each) => each.playState === 'running').length,
  );
  expect(moving).toBe(0);
});
