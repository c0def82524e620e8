import { createHmac } from 'node:crypto';

import { expect, test } from '../support/test.ts';

// The demo's operators have public passwords and secrets.
const operator = {
  name: 'owner1',
  password: 'Demo1234',
  secret: 'MZQWS4THOJXXK3TEGEZDGNBVGY3TQOJQ',
};

/** Returns the code of an authenticator app (RFC 6238). */
function codeAt(secret: string, ms: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(secret, (each) =>
    letters.indexOf(each).toString(2).padStart(5, '0'),
  ).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(ms / 30_000)));
  const digest = createHmac('sha1', key).update(step).digest();
  const offset = digest.at(-1)! & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test('SE-03 part: an announcement edited in the console appears in an open player’s app', async ({
  page,
  open,
  login,
  browser,
  server,
}) => {
  const session = await login();
  await open('/m/notice');
  await page.evaluate(
    (items) => {
      for (const [key, value] of items) localStorage.setItem(key, String(value));
    },
    Object.entries({ ...session, merchantCode: 'fairground' }),
  );
  await page.reload();
  // A mark in the page shows that it was not loaded again.
  await page.evaluate(() => Object.assign(globalThis, { stillOpen: true }));

  const desk = await browser.newContext({
    baseURL: server.origin,
    viewport: { width: 1280, height: 800 },
    locale: 'en',
  });
  const console = await desk.newPage();
  await console.goto('/console/announcements/new');
  await console.getByLabel('Name').fill(operator.name);
  await console.getByLabel('Password', { exact: true }).fill(operator.password);
  await console.keyboard.press('Enter');
  await console.getByLabel('Code').fill(codeAt(operator.secret, Date.now()));
  await console.keyboard.press('Enter');
  await console.getByLabel('Title (vi)').fill('Bảo trì tối nay');
  await console.getByLabel('Content (HTML) (vi)').fill('<p>Từ 23 giờ</p><script>alert(1)</script>');
  await expect(
    console.frameLocator('iframe[title="Preview"]').getByText('Từ 23 giờ'),
  ).toBeVisible();
  await console.getByLabel('Published').check();
  await console.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Bảo trì tối nay').first()).toBeVisible();

  await console.getByLabel('Title (vi)').fill('Bảo trì đã xong');
  await console.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Bảo trì đã xong').first()).toBeVisible();
  expect(await page.evaluate(() => 'stillOpen' in globalThis)).toBe(true);
  await desk.close();
});
