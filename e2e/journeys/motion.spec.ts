import { App } from '../pages/app.ts';
import { expect, test } from '../support/test.ts';

test('LY-12 a page transition takes at most 300 ms, and a lazy screen waits 200 ms before its loading state', async ({
  page,
  open,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await open('/m/home');
  const app = new App(page);
  await expect(app.loginLink).toBeVisible();

  // Holds the login screen's code until its loading state has been shown.
  const loadingStateShown = Promise.withResolvers<void>();
  await page.route('**/assets/LoginScreen-*.js', async (route) => {
    await loadingStateShown.promise;
    await route.continue();
  });
  const loadingDelay = page.evaluate(
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
  expect(await loadingDelay).toBeGreaterThanOrEqual(200);
  loadingStateShown.resolve();

  await page.evaluate(() => {
    const found = new Set<number>();
    Object.assign(window, { durations: found });
    // Reads the style of each started animation: it may be over before an event arrives.
    const recordDuration = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.closest('main')) return;
      for (const time of getComputedStyle(target).animationDuration.split(','))
        found.add(Math.round(Number.parseFloat(time) * 1000));
    };
    document.addEventListener('animationstart', recordDuration, { capture: true });
  });
  await page.getByRole('link', { name: app.text('Forgot password?') }).tap();
  const durations = () =>
    page.evaluate(() => [...(window as unknown as { durations: Set<number> }).durations]);
  await expect.poll(durations).toContain(300);
});

test('reduced motion disables the animations', async ({ page, open }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open('/m/home');
  const app = new App(page);
  await expect(app.loginLink).toBeVisible();
  await app.bottomMenu.getByRole('link').nth(3).tap();
  await expect(page.getByRole('heading', { level: 1, name: app.text('Promotion') })).toBeVisible();
  // A transition that takes almost no time may still be there for one frame.
  const runningAnimations = () =>
    page.evaluate(
      () =>
        document
          .querySelector('main')!
          .getAnimations({ subtree: true })
          .filter((animation) => animation.playState === 'running').length,
    );
  await expect.poll(runningAnimations).toBe(0);
});
