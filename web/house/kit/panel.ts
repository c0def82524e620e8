// Cards that stand over a game while it cannot be played: what happened, in plain words, and the way out.
import { t } from '@lingui/core/macro';

import type { LimitTold } from '../../src/lib/game-messages.ts';
import { el, icon } from './dom.ts';
import { icons } from './icons.ts';

type Action = { label: string; run: () => void; first?: boolean };

function card(
  kind: 'plain' | 'amber' | 'limit',
  title: string,
  text: string,
  actions: readonly Action[] = [],
): HTMLElement {
  const buttons = actions.map(({ label, run, first }) => {
    const made = el('button', { type: 'button', class: first ? 'act first' : 'act' }, label);
    made.addEventListener('click', run);
    return made;
  });
  return el(
    'section',
    { class: `card ${kind}`, role: kind === 'amber' ? 'status' : 'alert' },
    kind === 'amber' && el('span', { class: 'card-mark' }, icon(icons.offline, 26)),
    el('h2', {}, title),
    el('p', {}, text),
    buttons.length > 0 && el('div', { class: 'acts' }, ...buttons),
  );
}

/** Puts a card over the game, or takes it away. The same card stays, and the focus where another has the same button. */
export function putCard(panel: HTMLElement, content: HTMLElement | null): void {
  if (content && panel.firstElementChild?.isEqualNode(content)) return;
  const { activeElement } = document;
  const focused = panel.contains(activeElement) ? activeElement?.textContent : undefined;
  panel.hidden = content === null;
  panel.replaceChildren(...(content ? [content] : []));
  const again = [...panel.querySelectorAll('button')];
  again.find(({ textContent }) => textContent === focused)?.focus();
}

/** The game could not be opened at all. */
export function failureCard(again: (() => void) | null, leave: () => void): HTMLElement {
  const actions = again ? [{ label: t`Try again`, run: again, first: true }] : [];
  return card(
    'plain',
    t`The game could not be opened`,
    again
      ? t`There was no answer. Nothing was staked.`
      : t`This way into the game has been used or has ended. Go back and open the game again.`,
    [...actions, { label: t`Leave`, run: leave }],
  );
}

/** The server does not answer; the round that may run there is safe. */
export function troubleCard(
  attempt: number,
  stake: string | null,
  leave: (() => void) | null,
): HTMLElement {
  const text = stake
    ? t`If your stake of ${stake} was taken, the round runs on at the server and its result will be shown here. Nothing is staked twice.`
    : t`A round is still being settled at the server. Its result will be shown here. Nothing is staked again.`;
  return card(
    'amber',
    t`Reconnecting… try ${attempt}`,
    text,
    leave ? [{ label: t`Leave safely`, run: leave }] : [],
  );
}

type LimitWays = {
  money: (amount: number) => string;
  /** What makes the stake fit into what is left; none where no stake does. */
  lower: Action | null;
  limits: () => void;
  leave: () => void;
};

/**
 * One of the player's own limits refused a stake: which, what is left of it, and how to go on. Until it is known which, only
 * that one did; what is learned then comes in above the buttons that are there, and moves none of them.
 */
export function limitCard(limit: LimitTold | null, ways: LimitWays): HTMLElement {
  const { money, lower, limits, leave } = ways;
  const nothing = t`Nothing was staked in this round.`;
  return card(
    'limit',
    limit && lower ? t`This stake is over your limit` : t`A limit has been reached`,
    limit ? `${limitWords(limit, money)} ${nothing}` : nothing,
    [
      // None of them is urged.
      ...(lower ? [lower] : []),
      { label: t`My limits`, run: limits },
      { label: t`Leave`, run: leave },
    ],
  );
}

function limitWords(
  { kind, period, amount: most, left: rest }: LimitTold,
  money: LimitWays['money'],
): string {
  const [amount, left] = [money(most), money(rest)];
  const words = {
    stake: {
      day: t`Your limit for stakes in 24 hours is ${amount}. Left: ${left}.`,
      week: t`Your limit for stakes in 7 days is ${amount}. Left: ${left}.`,
      month: t`Your limit for stakes in 30 days is ${amount}. Left: ${left}.`,
    },
    loss: {
      day: t`Your limit for losses in 24 hours is ${amount}. Left: ${left}.`,
      week: t`Your limit for losses in 7 days is ${amount}. Left: ${left}.`,
      month: t`Your limit for losses in 30 days is ${amount}. Left: ${left}.`,
    },
  };
  return words[kind][period];
}

export function stopCard(
  why: 'excluded' | 'expired' | 'elsewhere',
  leave: () => void,
): HTMLElement {
  const words = {
    excluded: [
      t`Play is closed for you at present`,
      t`No stake is taken during a break. Nothing was staked in this round.`,
    ],
    expired: [
      t`This session has ended`,
      t`Go back and open the game again. Rounds that were played stand in your record.`,
    ],
    elsewhere: [
      t`You have games open in other windows`,
      t`This one no longer follows its table. Your tickets count; open the game again to see them.`,
    ],
  } as const;
  const [title, text] = words[why];
  return card('plain', title, text, [{ label: t`Leave`, run: leave }]);
}
