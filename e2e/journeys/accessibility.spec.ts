import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { screens } from '../screens/all.ts';
import type { Screen } from '../screens/screen.ts';
import { openScreen, layoutFaults, changeLook, widths } from '../support/look.ts';
import { inGate } from '../support/tag.ts';
import { expect, test, type Theme } from '../support/test.ts';
import type { Language } from '../support/text.ts';

type LookCheck = { language: Language; theme: Theme; for: RuleKind[]; isMeasured?: true };

// Each screen is opened only once. Language, theme and width change in place.
const everyLook: LookCheck[] = [
  { language: 'vi', theme: 'dark', for: ['structure', 'colours'] },
  { language: 'vi', theme: 'light', for: ['colours'], isMeasured: true },
  { language: 'en', theme: 'light', for: ['words'], isMeasured: true },
  { language: 'ur', theme: 'light', for: ['structure', 'colours'], isMeasured: true },
  { language: 'ur', theme: 'dark', for: ['colours'] },
  { language: 'pt', theme: 'dark', for: ['words'], isMeasured: true },
];

const twoLooks: LookCheck[] = [
  { language: 'vi', theme: 'dark', for: ['structure', 'colours'] },
  { language: 'ur', theme: 'light', for: ['structure', 'colours'] },
];

for (const screen of screens) {
  test(
    `no accessibility or layout fault: ${screen.name}`,
    inGate(!screen.soakOnly),
    async ({ page, open, login }) => {
      await openScreen(screen, { page, open, login });
      for (const look of twoLooks) await checkLook(page, screen, look, [360]);
    },
  );

  test(
    `no accessibility or layout fault: ${screen.name}, in every language and both themes`,
    {
      tag: '@soak',
    },
    async ({ page, open, login }) => {
      test.setTimeout(600_000);
      await openScreen(screen, { page, open, login });
      for (const look of everyLook)
        await checkLook(page, screen, look, look.isMeasured ? widths : []);
    },
  );
}

async function checkLook(
  page: Page,
  screen: Screen,
  { language, theme, for: kinds }: LookCheck,
  measuredWidths: number[],
): Promise<void> {
  await test.step(`${language}, ${theme}`, async () => {
    await changeLook(page, language, theme);
    await screen.expectReady(page, language);
    // Scrolls to the top, where no fixed bar covers a button.
    if (screen.fullPage) await page.evaluate(() => scrollTo(0, 0));
    expect(await accessibilityFaults(page, screen, kinds)).toEqual([]);
    for (const width of measuredWidths) {
      await page.setViewportSize({ width, height: 844 });
      // Some parts are laid out a frame after the page.
      await expect.poll(() => layoutFaults(page), `at ${width}`).toEqual([]);
    }
    if (measuredWidths.length > 0) await page.setViewportSize({ width: 390, height: 844 });
  });
}

/**
 * The kinds of rules. Contrast depends on the theme and the script, structure on the direction, and names and sizes on the
 * language.
 */
type RuleKind = 'structure' | 'colours' | 'words';

const contrast = 'color-contrast';

const textRules = [
  'aria-command-name',
  'aria-dialog-name',
  'aria-input-field-name',
  'aria-meter-name',
  'aria-progressbar-name',
  'aria-tab-name',
  'aria-toggle-field-name',
  'aria-tooltip-name',
  'button-name',
  'document-title',
  'empty-heading',
  'frame-title',
  'frame-title-unique',
  'html-has-lang',
  'html-lang-valid',
  'image-alt',
  'image-redundant-alt',
  'input-button-name',
  'label',
  'label-title-only',
  'landmark-unique',
  'link-name',
  'role-img-alt',
  'scrollable-region-focusable',
  'select-name',
  'summary-name',
  'svg-img-alt',
  'target-size',
  'valid-lang',
];

const overlays = 'dialog[open], [role=dialog], [role=alertdialog]';

async function accessibilityFaults(
  page: Page,
  { overlay }: Screen,
  kinds: RuleKind[],
): Promise<string[]> {
  // Loads axe only once per page, because its script has half a megabyte.
  const isLoaded = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: 'void 0' }) }).setLegacyMode();
  // Skips the style sheets and the passed rules, for speed.
  axe.options({
    resultTypes: ['violations'],
    reporter: 'no-passes',
    preload: { assets: ['media'] },
  });
  if (overlay) axe.include(overlays);
  if (!kinds.includes('structure')) axe.withRules(kinds.includes('words') ? textRules : contrast);
  else if (!kinds.includes('colours')) axe.disableRules(contrast);
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}
