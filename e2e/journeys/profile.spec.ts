import type { Locator } from '@playwright/test';

import { Member } from '../pages/member.ts';
import { Menu } from '../pages/menu.ts';
import { Profile } from '../pages/profile.ts';
import { newMember } from '../support/member.ts';
import { expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

/** Waits for a picture, and returns its colours near the left and right edges. */
async function colours(picture: Locator): Promise<string[]> {
  await expect(picture).toHaveAttribute('src', /^blob:/);
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(256);
  return picture.evaluate((image: HTMLImageElement) => {
    const canvas = document.createElement('canvas');
    canvas.width = 256;
    canvas.height = 256;
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    return [20, 236].map((x) => {
      const [red = 0, , blue = 0] = context.getImageData(x, 128, 1, 1).data;
      return red > blue ? 'red' : 'blue';
    });
  });
}

for (const language of ['vi', 'en'] as const) {
  test(
    `OS-08 a member sets a nickname, a preset picture and an uploaded picture, in ${language}`,
    tagOf(language),
    async ({ page, open, server, request }) => {
      const session = await newMember(server, request);
      await open('/m/member/profile', { language, session });
      const profile = new Profile(page, language);
      await profile.field('nickname').fill('Cô Ba');
      await profile.field('zalo').fill('0912345678');
      await profile.save.tap();
      await expect(profile.save).toHaveAttribute('disabled');

      await profile.changePicture.tap();
      await profile.preset(6).tap();
      await expect(profile.sheet).toBeHidden();
      await expect(profile.picture).toHaveAttribute('src', '/m/art/avatars/cat.webp');

      await profile.changePicture.tap();
      await profile.file.setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('no picture'),
      });
      await expect(profile.sheet.getByRole('alert')).toContainText(
        profile.text('errors.avatar.format'),
      );
      await profile.uploadPhoto();
      // Dragged to the right, the picture shows its red left half.
      const box = (await profile.cropArea.boundingBox())!;
      const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      await page.mouse.move(middle.x, middle.y);
      await page.mouse.down();
      await page.mouse.move(middle.x + box.width * 0.6, middle.y, { steps: 4 });
      await page.mouse.up();
      await profile.usePicture.tap();
      await expect(profile.sheet).toBeHidden();
      expect(await colours(profile.picture)).toEqual(['red', 'red']);

      await page.reload();
      await expect(profile.field('nickname')).toHaveValue('Cô Ba');
      await expect(profile.field('zalo')).toHaveValue('0912345678');
      await page.goto('/m/member/home');
      const member = new Member(page, language);
      await expect(member.main.getByText('Cô Ba')).toBeVisible();
      expect(await colours(member.picture)).toEqual(['red', 'red']);
      const menu = new Menu(page, language);
      await menu.open();
      expect(await colours(menu.panel.locator('a[href="/m/member/home"] img').first())).toEqual([
        'red',
        'red',
      ]);
    },
  );
}

test(
  'a picture can be cropped with keys only',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await open('/m/member/profile', { language: 'en', session: await newMember(server, request) });
    const profile = new Profile(page, 'en');
    await profile.changePicture.tap();
    await profile.uploadPhoto();
    await profile.cropArea.focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('+');
    for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowRight');
    await profile.usePicture.focus();
    await page.keyboard.press('Enter');
    await expect(profile.sheet).toBeHidden();
    expect(await colours(profile.picture)).toEqual(['blue', 'blue']);
  },
);

test(
  'the real name needs a confirmation, and is then read-only',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await open('/m/member/profile', { language: 'vi', session: await newMember(server, request) });
    const profile = new Profile(page);
    await profile.field('payeeName').fill('TRAN MINH ANH');
    await profile.save.tap();
    await profile.question
      .getByRole('button', { name: profile.text('Yes, save it'), exact: true })
      .tap();
    await expect(profile.field('payeeName')).toHaveCount(0);
    await expect(profile.main.getByText('TRAN MINH ANH')).toBeVisible();
  },
);

test(
  'SE-03 SE-07 avatar part: an uploaded picture belongs to its owner, and is never served as a page',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await open('/m/home');
    const owner = await newMember(server, request);
    const uploadResponse = await request.post('/wps/member/headIcon/upload', {
      headers: { Authorization: owner.token, 'Content-Type': 'image/png' },
      data: await new Profile(page).photo(),
    });
    expect(uploadResponse.ok(), await uploadResponse.text()).toBe(true);
    const { value } = (await uploadResponse.json()) as { value: { current: string } };
    const fetchPicture = (token?: string) =>
      request.get(value.current, token ? { headers: { Authorization: token } } : {});
    const ownerResponse = await fetchPicture(owner.token);
    expect(ownerResponse.status()).toBe(200);
    expect(ownerResponse.headers()).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
    });
    expect(ownerResponse.headers()['content-disposition']).toMatch(/^attachment/);
    const otherMember = await newMember(server, request);
    expect((await fetchPicture(otherMember.token)).status()).toBe(404);
    expect((await fetchPicture()).status()).toBe(401);
  },
);
