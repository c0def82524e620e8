import { Front } from '../pages/front.ts';
import { expect, test } from '../support/test.ts';
import { languages } from '../support/text.ts';

test.use({ isJackpotPaused: true });

type Pool = { amount: number; beginsAt: number; wins: unknown[]; games: unknown[] };

for (const language of languages) {
  test(
    `PP-13 journey: a paused jackpot shows no amount at home, and its page says when the pause ends: ${language}`,
    { tag: '@soak' },
    async ({ page, open, request }) => {
      const response = await request.get('/wps/jackpot/pool');
      const { value: pool } = (await response.json()) as { value: Pool };
      expect(pool).toMatchObject({ amount: 0, games: [] });

      const front = new Front(page, language);
      await open('/m/home', { language });
      await expect(front.tiles).toHaveCount(21);
      await front.scrollToEnd();
      const block = front.block('Jackpot');
      await expect(block.getByRole('article').first()).toBeVisible();
      const rules = block.getByRole('link', { name: front.text('Rules') });
      await rules.tap();

      await expect(page).toHaveURL(/\/m\/jackpot$/);
      const when = await page.evaluate(
        ([at, locale]) =>
          new Intl.DateTimeFormat(locale, {
            dateStyle: 'medium',
            timeStyle: 'short',
            hourCycle: 'h23',
            numberingSystem: 'latn',
          }).format(at),
        [pool.beginsAt, language === 'en' ? 'en-GB' : language] as const,
      );
      const text = front.text(
        'The jackpot has reached its limit of wins in 24 hours. The next series begins at {when}. Until then stakes do not add to the jackpot and cannot win it. Earlier stakes still count.',
      );
      const card = front.block('Jackpot').first();
      await expect(card).toContainText(text.replace('{when}', when));
      await expect(card.getByText(/₫/)).toHaveCount(0);
      await expect(card.getByText(front.text('Share of each stake'), { exact: true })).toHaveCount(
        0,
      );
      await expect(front.block('Won before').getByRole('listitem')).toHaveCount(pool.wins.length);
      expect(pool.wins).not.toHaveLength(0);

      // Home now knows that the jackpot is paused. A visible tile means that a counter would be visible too.
      await page.goBack();
      await front.scrollToEnd();
      await expect(block.getByRole('article').first()).toBeVisible();
      await expect(rules).toBeVisible();
      await expect(block.getByText(/₫/)).toHaveCount(0);
      await expect(front.caption(block)).toHaveCount(0);
    },
  );
}
