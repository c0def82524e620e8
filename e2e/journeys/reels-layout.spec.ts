import { Play, slotAddress } from '../pages/play.ts';
import { newMember } from '../support/member.ts';
import { forceFreeRounds, forceWin } from '../support/spin.ts';
import { expect, test } from '../support/test.ts';

const sizes = [
  { width: 360, height: 740 },
  { width: 667, height: 375 },
] as const;

for (const language of ['vi', 'ur', 'pt'] as const) {
  test(
    `the win fits into its bar, and no multiplier is separated from its amount: ${language}`,
    { tag: '@soak' },
    async ({ page, open, server, request }) => {
      const session = await newMember(server, request);
      await server.adjust(session.userName, 12_500_500);
      await open(slotAddress, { language, session });
      const play = new Play(page, language);
      await play.expectReady();
      await forceWin(page, 1_250_000);
      await play.spin();
      for (const size of sizes) {
        await page.setViewportSize(size);
        await play.expectFit(size.width);
        const layout = await play.frame.locator('.bar').evaluate((bar) => {
          const box = bar.getBoundingClientRect();
          const [head, text] = [...bar.children].map((part) => part.getBoundingClientRect());
          const textRange = document.createRange();
          textRange.selectNodeContents(bar);
          const { left, right } = textRange.getBoundingClientRect();
          // The padding leaves room for accents on capitals.
          const accentPadding = Number.parseFloat(
            getComputedStyle(bar.children[0]!).paddingBlockStart,
          );
          const winTextRange = document.createRange();
          winTextRange.selectNodeContents(bar.querySelector('.bar-text > span')!);
          const lines = new Set(
            [...winTextRange.getClientRects()].map(({ top }) => Math.round(top)),
          );
          return {
            overflow: Math.max(
              box.left - left,
              right - box.right,
              box.top - head!.top - accentPadding,
              text!.bottom - box.bottom,
              0,
            ),
            lines: lines.size,
          };
        });
        expect([size.width, layout]).toEqual([size.width, { overflow: 0, lines: 1 }]);
      }
    },
  );

  test(
    `the count of free rounds is centred over the reels: ${language}`,
    { tag: '@soak' },
    async ({ page, open, server, request }) => {
      const session = await newMember(server, request);
      await server.adjust(session.userName, 12_500_500);
      await page.setViewportSize(sizes[0]);
      await open(slotAddress, { language, session });
      const play = new Play(page, language);
      await play.expectReady();
      await forceFreeRounds(page, 8);
      await play.spinButton.tap();
      const counter = play.frame.locator('.counter');
      await expect(counter).toBeVisible();
      const offset = await counter.evaluate((badge) => {
        const middle = (element: Element) => {
          const { left, width } = element.getBoundingClientRect();
          return left + width / 2;
        };
        return Math.abs(middle(badge) - middle(badge.parentElement!));
      });
      expect(offset).toBeLessThan(1);
    },
  );
}
