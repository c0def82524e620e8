import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { screens } from '../screens/all.ts';
import type { Screen } from '../screens/screen.ts';
import { bring, crooked, follow, widths } from '../support/look.ts';
import { expect, test, type Theme } from '../support/test.ts';
import type { Language } from '../support/text.ts';

// Many looks at each screen, on a machine that does other things as well.
test.describe.configure({ timeout: 600_000 });

// One page for each screen: language, theme and width change in place, and no more often than needed.
const looks: { language: Language; theme: Theme; for: Barrier[]; measured?: true }[] = [
  { language: 'vi', theme: 'dark', for: ['structure', 'colours'] },
  { language: 'vi', theme: 'light', for: ['colours'], measured: true },
  { language: 'en', theme: 'light', for: ['words'], measured: true },
  { language: 'ur', theme: 'light', for: ['structure', 'colours'], measured: true },
  { language: 'ur', theme: 'dark', for: ['colours'] },
  { language: 'pt', theme: 'dark', for: ['words'], measured: true },
];

for (const screen of screens) {
  test(`no barrier, nothing cut off: ${screen.name}, in every language, both themes`, async ({
    page,
    open,
    login,
  }) => {
    await bring(screen, { page, open, login });
    for (const { language, theme, for: kinds, measured } of looks) {
      await test.step(`${language}, ${theme}`, async () => {
        await follow(page, language, theme);
        await screen.stands(page, language);
        // Wherever it was left, the bars that stand may lie over half a button; at its beginning they do not.
        if (screen.whole) await page.evaluate(() => scrollTo(0, 0));
        expect(await barriers(page, screen, kinds)).toEqual([]);
        if (!measured) return;
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          expect(await crooked(page), `at ${width}`).toEqual([]);
        }
        await page.setViewportSize({ width: 390, height: 844 });
      });
    }
  });
}

/**
 * What is looked for. Colours do not change with the language, only with the face that its script is set in: one of each is
 * looked at. Neither does what elements there are, but for the direction they run in; what they are called and how
 * much room they take does.
 */
type Barrier = 'structure' | 'colours' | 'words';

const contrast = 'color-contrast';

/** The rules about names, languages and room. */
const worded = [
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

/** Whatever lies over a screen. */
const overlays = 'dialog[open], [role=dialog], [role=alertdialog]';

async function barriers(page: Page, { over }: Screen, kinds: Barrier[]): Promise<string[]> {
  // The page keeps axe from one look to the next: half a megabyte to be read each time.
  const there = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(there && { axeSource: 'void 0' }) }).setLegacyMode();
  // Nothing needs the style sheets, and nobody reads what is well.
  axe.options({
    resultTypes: ['violations'],
    reporter: 'no-passes',
    preload: { assets: ['media'] },
  });
  if (over) axe.include(overlays);
  if (!kinds.includes('structure')) axe.withRules(kinds.includes('words') ? worded : contrast);
  else if (!kinds.includes('colours')) axe.disableRules(contrast);
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}
