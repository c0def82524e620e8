// The sheet with payouts, rules and the average return.
import { t } from '@lingui/core/macro';

import { formatNumber } from '../../src/lib/money.ts';
import type { RoundCommitment } from '../../src/lib/round-promise.ts';
import { isSymbol, symbolCut } from '../../src/lib/slot-atlas.ts';
import { bdi, el, isolateLtr, svg } from '../kit/dom.ts';
import { fairnessSection } from '../kit/fairness-section.ts';
import { jackpotSection } from '../kit/jackpot.ts';
import { language } from '../kit/language.ts';
import { openSheet } from '../kit/sheet.ts';
import { rulesOf } from './rules.ts';
import type { Pays, Session, Slot } from './session.ts';
import { multiple, type Texts } from './texts.ts';
import { themeOf, type ThemeName } from './themes.ts';

export function openPaytable(
  { slot, game }: Session,
  stake: number,
  commitment: RoundCommitment,
  texts: Texts,
): void {
  const { body } = openSheet(t`Paytable`);
  const theme = themeOf(game.theme);
  // Keeps the server's precision.
  const places = slot.rtp.split('.')[1]?.length ?? 0;
  const pattern = `#,##0.${'0'.repeat(places)}`;
  const rtp = formatNumber(slot.rtp, { pattern, language: language() });
  const whole = isolateLtr(texts.money(stake));
  const amounts = {
    lines: t`× means times your whole stake of ${whole}, on each line. Amounts are for this stake.`,
    ways: t`× means times your whole stake of ${whole}, for each way. Amounts are for this stake.`,
    cascade: t`× means times your whole stake of ${whole}, before they are multiplied. Amounts are for this stake.`,
  };
  body.append(
    el(
      'p',
      { class: 'fact' },
      t`Average return to players, computed exactly:`,
      ' ',
      bdi(`${rtp}%`),
    ),
    el('p', {}, amounts[slot.kind]),
    el(
      'ul',
      { class: 'pays' },
      ...slot.symbols.flatMap((name) => {
        const pays = slot.paytable[name] ?? {};
        // Scatters pay multiples of the whole stake, the others of a part of it. The sheet shows multiples of the whole stake.
        const parts = name === slot.scatter ? 1 : slot.parts;
        const look = { texts, theme, stake, parts, open: slot.kind === 'cascade' };
        if (name === slot.wild) return [wildRow(slot, payRow(name, pays, look), theme)];
        return Object.keys(pays).length > 0 ? [payRow(name, pays, look)] : [];
      }),
    ),
  );
  if (slot.paylines.length > 0) {
    body.append(
      el('h3', {}, t`Lines`),
      el(
        'ol',
        { class: 'lines', dir: 'ltr' },
        ...slot.paylines.map((line, i) => lineRow(line, i, slot.rows)),
      ),
    );
  }
  body.append(
    el('h3', {}, t`Rules`),
    el('ul', { class: 'rules' }, ...rulesOf(slot).map((rule) => el('li', {}, rule))),
    ...jackpotSection(texts.money),
    ...fairnessSection(
      t`The server has fixed the seed of your next round already. This is its fingerprint; the seed itself is shown after the round.`,
      commitment,
    ),
  );
}

type Look = {
  texts: Texts;
  theme: ThemeName;
  stake: number;
  /** The parts that make up a stake. */
  parts: number;
  /** Higher counts pay the same, up to the next listed count. */
  open: boolean;
};

function payRow(name: string, pays: Pays, look: Look): HTMLElement {
  const { texts, theme, stake, parts, open } = look;
  const counts = Object.keys(pays).toSorted((a, b) => Number(b) - Number(a));
  const list = counts.flatMap((count) => {
    const times = pays[count] ?? 0;
    return [
      el('dt', {}, bdi(open ? `${count}+` : count)),
      el('dd', {}, bdi(`×${multiple(times / parts) ?? times / parts}`)),
      el('dd', { class: 'pay-amount' }, bdi(texts.money((times * stake) / parts))),
    ];
  });
  return el(
    'li',
    { class: 'pay' },
    symbolPicture(name, 52, theme),
    el('div', {}, el('b', {}, texts.symbol(name)), el('dl', {}, ...list)),
  );
}

/** Adds the symbols that a wild replaces. */
function wildRow(
  { symbols, wild, scatter }: Slot,
  row: HTMLElement,
  theme: ThemeName,
): HTMLElement {
  const others = symbols.filter((name) => name !== wild && name !== scatter);
  row.lastElementChild?.append(
    el('p', { class: 'stands-for' }, t`Stands for every symbol but Scatter.`),
    el('div', { class: 'stood-for' }, ...others.map((name) => symbolPicture(name, 24, theme))),
  );
  return row;
}

function symbolPicture(name: string, size: number, theme: ThemeName): HTMLElement {
  const picture = el('span', { class: 'pay-symbol', 'aria-hidden': 'true' });
  if (isSymbol(name)) Object.assign(picture.style, symbolCut(name, size, theme));
  return picture;
}

function lineRow(line: readonly number[], i: number, rows: number): HTMLElement {
  const step = 9;
  const dots = line.flatMap((lit, reel) =>
    Array.from({ length: rows }, (_, row) =>
      svg('rect', {
        x: reel * step + 1,
        y: row * step + 1,
        width: step - 2,
        height: step - 2,
        rx: 1.5,
        class: row === lit ? 'on' : 'off',
      }),
    ),
  );
  const path = line.map((row, reel) => `${(reel + 0.5) * step},${(row + 0.5) * step}`).join(' ');
  const number = i + 1;
  const places = line.map((row) => row + 1).join(', ');
  return el(
    'li',
    {},
    el('span', { class: 'line-number', 'aria-hidden': 'true' }, String(number)),
    svg(
      'svg',
      {
        viewBox: `0 0 ${line.length * step} ${rows * step}`,
        role: 'img',
        'aria-label': t`Line ${number}: rows ${places}`,
      },
      ...dots,
      svg('polyline', { points: path }),
    ),
  );
}
