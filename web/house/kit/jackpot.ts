// The jackpot that a game's stakes are drawn for, as the app around it tells: in the game's own sheet, before anything is staked.
import { t } from '@lingui/core/macro';

import type { PoolTold } from '../../src/lib/game-messages.ts';
import { formatNumber } from '../../src/lib/money.ts';
import { bdi, el, held, setText } from './dom.ts';
import { language } from './language.ts';

let pool: PoolTold | null = null;
/** Follows the pool in the sheet that is open. */
let follow: ((pool: PoolTold) => void) | null = null;

export function setPool(told: PoolTold | null): void {
  pool = told;
  if (pool) follow?.(pool);
}

const number = (n: number, pattern = '#,##0'): string =>
  formatNumber(n, { pattern, language: language() });

/** The heading, what is in the pool, and by which rules it is won; nothing where the game's stakes have no part in one. */
export function jackpotPart(money: (amount: number) => string): Node[] {
  if (!pool) return [];
  const { seed, cap, sharePerMille, unit, parts, most: counts } = pool;
  const share = held(`${number(sharePerMille / 10, '#,##0.0')}%`);
  // For a stake that people make: a hundred parts of it.
  const stake = held(money(unit * 100));
  const chances = held(number(parts / 100));
  const counting = held(money(counts));
  const begins = held(money(seed));
  const most = held(money(cap));
  const amount = bdi(money(pool.amount));
  follow = (now) => setText(amount, money(now.amount));
  const rules = [
    sharePerMille > 0
      ? t`Of each stake ${share} goes into the pool. It is not taken from what the game returns.`
      : t`Nothing is added any more: the pool is played for until it is won.`,
    t`Chance: 1 in ${chances} for each ${stake} staked. Of one stake at most ${counting} counts. Up to there twice the stake is twice the chance, and nothing else counts.`,
    t`A stake is drawn for when its round is settled. One that was given back has no part.`,
    t`The winner has the whole pool at once, without conditions. It begins with ${begins}, which the operator puts in, and grows to at most ${most}.`,
    t`When it is won the seed of its draws is shown, and anybody can do each of them again.`,
  ];
  return [
    el('h3', {}, t`Jackpot`),
    el('p', { class: 'fact' }, t`In the pool now:`, ' ', amount),
    el('ul', { class: 'rules' }, ...rules.map((rule) => el('li', {}, rule))),
  ];
}
