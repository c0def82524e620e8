import { expect, test } from '../support/test.ts';

test('OS-16 player part: a browser without its own HLS plays the live stream of the demo', async ({
  page,
  open,
  login,
}) => {
  const statuses: Record<string, number> = {};
  page.on('response', (response) => {
    const file = /\/m\/stream\/(.+\.(?:m3u8|mp4|m4s))$/.exec(response.url())?.[1];
    if (file) statuses[file] = response.status();
  });
  await page.addInitScript(() => {
    HTMLMediaElement.prototype.canPlayType = () => '';
  });
  await open('/m/liveStream', { language: 'en', session: await login() });
  await page.locator('main a[href^="/m/liveStream?id="]').first().click();

  const video = page.locator('main video');
  const seconds = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);
  await expect.poll(seconds, { timeout: 60_000 }).toBeGreaterThan(0);
  await expect(page.getByRole('button', { name: 'Pause the video' })).toBeVisible();
  // The browser has decoded a picture of the film.
  const picture = await video.evaluate((element: HTMLVideoElement) => [
    element.videoWidth,
    element.videoHeight,
  ]);
  expect(picture).toEqual([640, 360]);
  expect(statuses).toMatchObject({ 'stream.m3u8': 200, 'init.mp4': 200, 'part0.m4s': 200 });

  await page.getByRole('button', { name: 'Pause the video' }).click();
  await expect(page.getByRole('button', { name: 'Play the video' })).toBeVisible();
  const pausedAt = await seconds();
  await page.getByRole('button', { name: 'Play the video' }).click();
  await expect.poll(seconds, { timeout: 60_000 }).not.toBe(pausedAt);
});
