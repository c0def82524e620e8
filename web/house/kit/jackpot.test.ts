// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { JackpotPool } from '../../src/lib/game-messages.ts';
import { el } from './dom.ts';
import { jackpotSection, setPool } from './jackpot.ts';
import { setLanguage } from './language.ts';

const pool: JackpotPool = {
  amount: 4_000_000_000,
  seed: 3_700_000_000,
  cap: 37_000_000_000,
  sharePerMille: 10,
  unit: 100,
  parts: 2_000_000_000,
  most: 500_000,
};

const money = (amount: number) => `${amount} VND`;

/** Renders the section. `text` omits the Unicode isolates around amounts. */
function shown() {
  const sheet = el('div', {}, ...jackpotSection(money));
  document.body.replaceChildren(sheet);
  return { text: () => sheet.textContent.replaceAll(/[\u2066\u2069]/g, ''), sheet };
}

beforeEach(() => setLanguage('en'));

afterEach(() => setPool(null));

test('PP-13 the section shows the pool, its share of stakes, the chance and the rules', () => {
  setPool(pool);
  const { text, sheet } = shown();
  expect(sheet.querySelector('h3')?.textContent).toBe('Jackpot');
  for (const part of [
    'In the pool now: 4000000000 VND',
    'Of each stake 1.0% goes into the pool',
    '1 in 20,000,000 for each 10000 VND staked',
    'At most 500000 VND of one stake counts',
    'begins with 3700000000 VND',
    'at most 37000000000 VND',
    'anyone can recompute each draw',
  ]) {
    expect(text()).toContain(part);
  }
});

test('PP-13 an open section updates when the pool changes', () => {
  setPool(pool);
  const { text } = shown();
  setPool({ ...pool, amount: 4_000_000_100 });
  expect(text()).toContain('In the pool now: 4000000100 VND');
});

test('PP-13 a pool without contributions says so', () => {
  setPool({ ...pool, sharePerMille: 0 });
  const { text } = shown();
  expect(text()).toContain('Nothing is added any more');
  expect(text()).not.toContain('Of each stake');
});

test('PP-13 without a pool there is no section', () => {
  expect(jackpotSection(money)).toEqual([]);
  setPool(pool);
  setPool(null);
  expect(jackpotSection(money)).toEqual([]);
});

test.each(['vi', 'ur', 'pt'])('PP-13 in the player’s language: %s', async (language) => {
  setPool(pool);
  const english = shown().text();
  await setLanguage(language);
  const { text, sheet } = shown();
  expect(sheet.querySelectorAll('li')).toHaveLength(5);
  for (const line of sheet.querySelectorAll('li')) expect(english).not.toContain(line.textContent);
  expect(text()).toContain('3700000000 VND');
});
