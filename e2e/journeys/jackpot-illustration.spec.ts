import { Front } from '../pages/front.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

// Without a real jackpot, the app shows simulated figures and labels them as such.
test.use({ pool: false });

for (const language of ['vi', 'en', 'ur', 'pt'] as const) {
  test(
    `HM-09 KO-02 PP-13 home shows growing jackpots and a winner board, each with its caption: ${language}`,
    inGate(language === 'vi'),
    async ({ page, open }) => {
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      const front = new Front(page, language);
      await open('/m/home', { language });
      await expect(front.tiles).toHaveCount(21);
      await front.scrollToEnd();
      const jackpot = front.block('Jackpot');
      await expect(jackpot.getByRole('article')).toHaveCount(18);
      const counter = jackpot.locator('[data-simulated]').first();
      const first = await counter.innerText();
      await expect(counter).not.toHaveText(first);
      const amount = Number(first.replaceAll(/\D/g, ''));
      expect(amount).toBeGreaterThanOrEqual(3_620_281_923);
      expect(amount).toBeLessThanOrEqual(7_809_521_168);
      for (const title of ['Jackpot', 'local_hot_live', 'Winner board']) {
        await expect(front.caption(front.block(title))).toBeVisible();
      }
    },
  );
}

for (const language of ['vi', 'en', 'ur', 'pt'] as const) {
  test(
    `PP-13 without a pool the jackpot’s screen captions its figures and shows its rules: ${language}`,
    { tag: '@soak' },
    async ({ page, open, request }) => {
      const front = new Front(page, language);
      await open('/m/jackpot', { language });
      // The name of the region with the rules may start with the same word.
      const card = front.block('Jackpot').first();
      await expect(card).toBeVisible();
      await expect(front.caption(card)).toBeVisible();
      expect(await card.locator('[data-simulated]').count()).toBeGreaterThanOrEqual(3);
      for (const label of ['Began with', 'Grows by', 'Source', 'A simulation of this server']) {
        await expect(card.getByText(front.text(label), { exact: true })).toBeVisible();
      }
      const headers = { Language: language.toUpperCase() };
      const response = await request.get('/wps/system/page/jackpot', { headers });
      const { value } = (await response.json()) as { value: { title: string; content: string } };
      const rules = front.main.getByRole('region', { name: value.title });
      const paragraphs = value.content.split(/<[^>]+>/).map((text) => text.trim());
      for (const text of paragraphs.filter(
        (paragraph) => paragraph.length > 3 && !paragraph.includes('&'),
      )) {
        await expect(rules).toContainText(text);
      }
    },
  );
}
