// The jackpot section of a game's rules. The app sends the pool.
import { t } from '@lingui/core/macro';

import type { JackpotPool } from '../../src/lib/game-messages.ts';
import { formatNumber } from '../../src/lib/money.ts';
import { bdi, el, isolateLtr, setText } from './dom.ts';
import { language } from './language.ts';

let pool: JackpotPool | null = null;
/** Updates the open section. */
let onPoolChange: ((pool: JackpotPool) => void) | null = null;

export function setPool(newPool: JackpotPool | null): void {
  pool = newPool;
  if (pool) onPoolChange?.(pool);
}

const number = (n: number, pattern = '#,##0'): string =>
  formatNumber(n, { pattern, language: language() });

/** Builds the section; empty when the game has no jackpot. */
export function jackpotSection(money: (amount: number) => string): Node[] {
  if (!pool) return [];
  const { seed: startAmount, cap, sharePerMille, unit, parts, most: maxCounted } = pool;
  const share = isolateLtr(`${number(sharePerMille / 10, '#,##0.0')}%`);
  // A realistic stake: 100 units.
  const stake = isolateLtr(money(unit * 100));
  const chances = isolateLtr(number(parts / 100));
  const counting = isolateLtr(money(maxCounted));
  const start = isolateLtr(money(startAmount));
  const max = isolateLtr(money(cap));
  const amount = bdi(money(pool.amount));
  onPoolChange = (now) => setText(amount, money(now.amount));
  const rules = [
    sharePerMille > 0
      ? t`Of each stake ${share} goes into the pool. It is not taken from what the game returns.`
      : t`Nothing is added any more. The pool stays until it is won.`,
    t`Chance: 1 in ${chances} for each ${stake} staked. At most ${counting} of one stake counts. Up to that amount, twice the stake has twice the chance. Nothing else counts.`,
    t`A stake enters the draw when its round is settled. A refunded stake does not.`,
    t`The winner gets the whole pool at once, without conditions. It begins with ${start}, which the operator puts in, and grows to at most ${max}.`,
    t`When it is won, the seed of its draws is published, and anyone can recompute each draw.`,
  ];
  return [
    el('h3', {}, t`Jackpot`),
    el('p', { class: 'fact' }, t`In the pool now:`, ' ', amount),
    el('ul', { class: 'rules' }, ...rules.map((rule) => el('li', {}, rule))),
  ];
}
