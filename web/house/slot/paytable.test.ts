// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import first from '../../../internal/game/house/cascade/version1.json';
import second from '../../../internal/game/house/cascade/version2.json';
import lines from '../../../internal/game/house/slot/version2.json';
import ways from '../../../internal/game/house/ways/version1.json';
import { setLanguage } from '../kit/language.ts';
import { openPaytable } from './paytable.ts';
import { rulesOf } from './rules.ts';
import type { Slot } from './session.ts';
import { aCommitment, aSession, aSlot } from './testing.ts';
import { createTexts } from './texts.ts';
import { themes } from './themes.ts';

type Data = Omit<typeof second, 'pays' | 'lines'> & {
  pays: Record<string, Record<string, number>>;
  lines?: number[][];
};

/** Converts a machine’s data file to the server’s response. */
const slotOf = ({ pays, scatterPays, lines: paylines = [], ...data }: Data): Slot =>
  aSlot({
    ...(data as Partial<Slot>),
    lines: paylines.length,
    paylines,
    paytable: { ...pays, [data.scatter]: scatterPays },
  });

const machines = {
  lines: slotOf(lines),
  ways: slotOf(ways),
  cascade: slotOf(second),
  before: slotOf(first),
};

function open(slot: Slot, theme = 'dragon') {
  const session = aSession({ game: { ...aSession().game, theme } }, slot);
  openPaytable(session, 10_000, aCommitment(1), createTexts(session));
  return [...document.querySelectorAll('dialog .pay')];
}

beforeEach(async () => {
  HTMLDialogElement.prototype.showModal = () => {};
  document.body.replaceChildren();
  await setLanguage('en');
});

test.each(Object.keys(themes))(
  'GL-07 (wild) %s: the cascade lists its wild and the symbols it replaces',
  (theme) => {
    const [wild, scatter, ...others] = open(machines.cascade, theme);
    expect(wild?.querySelector('b')?.textContent).toBe('Wild');
    expect(wild?.querySelector('.stands-for')?.textContent).toBe(
      'Stands for every symbol but Scatter.',
    );
    expect(wild?.querySelectorAll('dd')).toHaveLength(0);
    const shown = [...(wild?.querySelectorAll<HTMLElement>('.stood-for .pay-symbol') ?? [])];
    expect(shown).toHaveLength(others.length);
    for (const { style } of shown) {
      expect(style.backgroundImage).toContain(`/house/${theme}/symbols`);
      expect(style.inlineSize).toBe('24px');
    }
    expect(scatter?.querySelector('b')?.textContent).toBe('Scatter');
    expect(others).toHaveLength(8);
  },
);

test('a paying wild is listed with payouts and symbols; a slot without a wild lists none', () => {
  const [wild] = open(machines.lines);
  expect(wild?.querySelectorAll('dt')).toHaveLength(3);
  expect(wild?.querySelector('.stands-for')).not.toBeNull();
  document.body.replaceChildren();
  open(machines.before);
  expect(document.querySelector('.stands-for')).toBeNull();
});

test('the rules describe the wild of each machine', () => {
  const wildRules = Object.fromEntries(
    Object.entries(machines).map(([name, slot]) => [
      name,
      rulesOf(slot).filter((rule) => rule.includes('Wild')),
    ]),
  );
  const stands = 'Wild stands for every symbol but Scatter.';
  const nothing = 'Wild pays nothing by itself.';
  const goes = 'A Wild counts with every symbol at the same time, and vanishes with every win.';
  expect(wildRules).toEqual({
    lines: [stands],
    ways: [stands, nothing],
    cascade: [stands, goes, nothing],
    before: [],
  });
});

/** Returns count, multiple and amount of each line. */
const rowOf = (row: Element | undefined): string[][] => {
  const cells = [...(row?.querySelectorAll('dt, dd') ?? [])].map((cell) =>
    (cell.textContent ?? '').replaceAll('\u00A0', ' '),
  );
  return Array.from({ length: cells.length / 3 }, (_, i) => cells.slice(i * 3, i * 3 + 3));
};

test.each(['lines', 'ways', 'cascade'] as const)(
  'GL-07 %s: every amount in the paytable is its multiple of the stake, scatters included',
  (kind) => {
    const rows = open(machines[kind]).flatMap(rowOf);
    expect(rows.length).toBeGreaterThan(10);
    for (const [count = '', times = '', amount = ''] of rows) {
      expect(count).toMatch(kind === 'cascade' ? /^\d+\+$/ : /^\d$/);
      expect(times).toMatch(/^×[\d.,]+$/);
      const multiple = Number(times.replaceAll(/[×,]/g, ''));
      expect(Number(amount.replaceAll(/[^\d]/g, ''))).toBeCloseTo(multiple * 10_000, 5);
    }
    expect(document.querySelector('dialog')?.textContent).toContain('times your whole stake of');
  },
);
