import type { Page } from '@playwright/test';

import { Table, tableAddress } from '../pages/table.ts';
import { newMember } from '../support/member.ts';
import { tables } from '../support/tables.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';
import type { Language } from '../support/text.ts';

type Box = { id: string; kind: string; width: number; height: number; top: number; bottom: number };

async function measure(table: Table) {
  return table.table.evaluate((root) => {
    const felt = root.querySelector('.felt')!.getBoundingClientRect();
    const cloth = root.querySelector('.cloth')!.getBoundingClientRect();
    const spots = [...root.querySelectorAll<HTMLElement>('.cloth .spot[data-spot]')].map(
      (spot): Box => {
        const { width, height, top, bottom } = spot.getBoundingClientRect();
        const { spot: id = '', kind = '' } = spot.dataset;
        return { id, kind, width, height, top, bottom };
      },
    );
    /** The spots whose labels overflow. */
    const cut = [...root.querySelectorAll<HTMLElement>('.cloth .spot[data-spot]')].flatMap((spot) =>
      spot.scrollWidth > spot.clientWidth + 1 && spot.dataset['mine'] !== 'put'
        ? [spot.dataset['spot']]
        : [],
    );
    /** The dice or the wheel if they overflow the stage. */
    const stage = root.querySelector('.table-stage')!.getBoundingClientRect();
    const overflowingPieces = [...root.querySelectorAll('.standing-die, .wheel')].flatMap(
      (piece) => {
        const { top, bottom } = piece.getBoundingClientRect();
        return top < stage.top - 1 || bottom > stage.bottom + 1 ? [piece.classList[0]] : [];
      },
    );
    /** Whether the clock covers the dealer's face, in the upper part of the picture. */
    const host = root.querySelector('.host')?.getBoundingClientRect();
    const ring = root.querySelector('.ring')!.getBoundingClientRect();
    const coversFace = host !== undefined && ring.top < host.top + host.height * 0.7;
    /** Whether notes cover the place of the cards. */
    const notes = [...root.querySelectorAll('.stage-note')].map((note) =>
      note.getBoundingClientRect(),
    );
    const cards = root.querySelector('.hand')?.getBoundingClientRect();
    const coversCards = cards !== undefined && notes.some(({ bottom }) => bottom > cards.top);
    const { scrollWidth, clientWidth } = document.documentElement;
    const [from, to] = [felt.top, felt.bottom];
    return {
      spots,
      cut,
      overflowingPieces,
      coversFace,
      coversCards,
      from,
      to,
      emptyHeight: to - cloth.bottom,
      overflowsPage: scrollWidth > clientWidth,
    };
  });
}

/** Lists spots whose chip would cover the label or odds of another spot. */
async function coveredSpots(table: Table): Promise<string[]> {
  return table.table.evaluate((root) => {
    const spots = [...root.querySelectorAll<HTMLElement>('.cloth .spot[data-spot]')];
    const words = spots.flatMap((spot) =>
      [...spot.querySelectorAll('.spot-name, .spot-odds')].map((word) => {
        const range = document.createRange();
        range.selectNodeContents(word);
        return { spot, box: range.getBoundingClientRect() };
      }),
    );
    return spots.flatMap((spot) => {
      const chips = spot.querySelector('.spot-chips')!;
      const chipsBefore = [...chips.children];
      const stack = document.createElement('span');
      stack.className = 'stack';
      chips.replaceChildren(stack);
      const chip = stack.getBoundingClientRect();
      chips.replaceChildren(...chipsBefore);
      const coveredWord = words.find(
        ({ spot: other, box }) =>
          other !== spot &&
          box.width > 0 &&
          chip.left < box.right - 1 &&
          chip.right > box.left + 1 &&
          chip.top < box.bottom - 1 &&
          chip.bottom > box.top + 1,
      );
      return coveredWord
        ? [`${spot.dataset['spot']} over ${coveredWord.spot.dataset['spot']}`]
        : [];
    });
  });
}

const openTable = async (
  page: Page,
  { vendor, game }: (typeof tables)[number],
  language: Language,
) => {
  await page.goto(tableAddress(vendor, game));
  const table = new Table(page, language);
  await table.expectReady();
  // Other fonts have other widths.
  await table.table.evaluate(() => document.fonts.ready);
  return table;
};

for (const language of ['vi', 'pt', 'ur'] as const) {
  test(
    `on a small phone every spot of every table is visible and large enough to tap (${language})`,
    inGate(language === 'vi'),
    async ({ page, open, server, request }) => {
      // Without motion, so that the dice are not shaken during the measurement.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 360, height: 740 });
      await open('/m/game', { language, session: await newMember(server, request) });
      for (const tableInfo of tables) {
        await page.setViewportSize({ width: 360, height: 740 });
        const table = await openTable(page, tableInfo, language);
        for (const [width, height] of [
          [360, 740],
          [390, 844],
          [844, 390],
        ] as const) {
          await page.setViewportSize({ width, height });
          await table.expectFit(width);
          const {
            spots,
            cut,
            overflowingPieces,
            coversFace,
            coversCards,
            from,
            to,
            overflowsPage,
          } = await measure(table);
          const label = `${tableInfo.engine} ${width}`;
          expect(spots.length).toBeGreaterThan(3);
          const hidden = spots.filter(({ top, bottom }) => top < from || bottom > to + 0.5);
          expect([label, hidden.map(({ id }) => id)]).toEqual([label, []]);
          const tooSmall = spots.filter((spot) => spot.width < 32 || spot.height < 32);
          expect([label, tooSmall]).toEqual([label, []]);
          const main = spots.filter(({ id }) => (tableInfo.main as readonly string[]).includes(id));
          expect(main).toHaveLength(tableInfo.main.length);
          expect([label, main.filter((spot) => spot.width < 44 || spot.height < 40)]).toEqual([
            label,
            [],
          ]);
          expect([label, cut]).toEqual([label, []]);
          expect([label, overflowingPieces]).toEqual([label, []]);
          if (width < height)
            expect([label, coversFace, coversCards]).toEqual([label, false, false]);
          expect([label, await coveredSpots(table)]).toEqual([label, []]);
          expect([label, overflowsPage]).toEqual([label, false]);
        }
      }
    },
  );
}

for (const language of ['vi', 'pt', 'ur'] as const) {
  test(
    `on a small phone in landscape no spot is too small and no label overflows (${language})`,
    { tag: '@soak' },
    async ({ page, open, server, request }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 667, height: 375 });
      await open('/m/game', { language, session: await newMember(server, request) });
      for (const tableInfo of tables) {
        const table = await openTable(page, tableInfo, language);
        for (const [width, height] of [
          [667, 375],
          [740, 360],
        ] as const) {
          await page.setViewportSize({ width, height });
          await table.expectFit(width);
          const { spots, cut, overflowingPieces, overflowsPage } = await measure(table);
          const label = `${tableInfo.engine} ${width}`;
          const tooSmall = spots.filter((spot) => spot.width < 28 || spot.height < 28);
          expect([label, tooSmall]).toEqual([label, []]);
          expect([label, cut, overflowingPieces, overflowsPage]).toEqual([label, [], [], false]);
          expect([label, await coveredSpots(table)]).toEqual([label, []]);
        }
      }
    },
  );
}

test(
  'the offline bar does not reorder the table',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await open('/m/game', { language: 'vi', session: await newMember(server, request) });
    for (const tableInfo of tables) {
      await page.setViewportSize({ width: 360, height: 740 });
      const table = await openTable(page, tableInfo, 'vi');
      for (const height of [740, 740 - 32]) {
        await page.setViewportSize({ width: 360, height });
        await table.expectFit(360);
        const first = await table.table.evaluate((root) => {
          const top = (part: string) => root.querySelector(part)!.getBoundingClientRect().top;
          return top('.roads, .past-row') < top('.cloth');
        });
        expect([tableInfo.engine, height, first]).toEqual([tableInfo.engine, height, true]);
      }
    }
  },
);

test(
  'the rules of each table show the payout and RTP of every spot, and going back closes them and stays at the table',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await open('/m/game', { language: 'vi', session: await newMember(server, request) });
    for (const tableInfo of tables) {
      const table = await openTable(page, tableInfo, 'vi');
      await table.frame.locator('.foot-tools button').first().tap();
      const sheet = table.frame.locator('dialog');
      const odds = sheet.locator('.odds');
      await expect(odds.locator('tbody tr').first()).toContainText(/%/);
      const cut = await odds.evaluate((lines) => {
        const { scrollHeight, clientHeight } = lines.parentElement!;
        return scrollHeight - clientHeight;
      });
      expect([tableInfo.engine, cut]).toEqual([tableInfo.engine, 0]);
      await expect(sheet.locator('.seals dt').last()).toHaveText('Chuỗi và bàn');
      await page.goBack();
      await expect(sheet).toHaveCount(0);
      await expect(table.table).toBeVisible();
    }
  },
);

test(
  'a chip above the limit of a spot on the sheet with more bets shows an error with the limit',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const session = await newMember(server, request);
    await server.adjust(session.userName, 1_000_000);
    await open('/m/game', { language: 'en', session });
    const table = await openTable(page, tables[1], 'en');
    await table.waitForBetting(8);
    await table.frame.locator('.chip-choice').last().tap();
    await table.frame.getByRole('button', { name: /^More bets/ }).tap();
    const sheet = table.frame.locator('dialog');
    await sheet.locator('[data-spot^="triple"]').first().tap();
    await expect(sheet.getByRole('status')).toHaveText(/^This spot takes [\d,]+.* at most\.$/);
  },
);

test(
  'on a tablet there is no empty band below the spots',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await page.setViewportSize({ width: 768, height: 1024 });
    await open('/m/game', { language: 'vi', session: await newMember(server, request) });
    for (const tableInfo of tables) {
      const table = await openTable(page, tableInfo, 'vi');
      const { emptyHeight, spots, to } = await measure(table);
      expect([tableInfo.engine, emptyHeight < 40]).toEqual([tableInfo.engine, true]);
      expect(to - Math.max(...spots.map(({ bottom }) => bottom))).toBeLessThan(60);
      const narrow = spots.filter(({ width, height }) => width < 32 || height < 32);
      expect([tableInfo.engine, narrow]).toEqual([tableInfo.engine, []]);
    }
  },
);
