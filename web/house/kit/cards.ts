// Cards that cover a game while it cannot be played.
import { t } from '@lingui/core/macro';

import type { LimitState } from '../../src/lib/game-messages.ts';
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
    const button = el('button', { type: 'button', class: first ? 'act first' : 'act' }, label);
    button.addEventListener('click', run);
    return button;
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

/** Shows or removes the card over the game. Does not replace an equal card, and keeps the focus on a button with the same text. */
export function showCard(panel: HTMLElement, content: HTMLElement | null): void {
  if (content && panel.firstElementChild?.isEqualNode(content)) return;
  const { activeElement } = document;
  const focused = panel.contains(activeElement) ? activeElement?.textContent : undefined;
  panel.hidden = content === null;
  panel.replaceChildren(...(content ? [content] : []));
  const buttons = [...panel.querySelectorAll('button')];
  buttons.find(({ textContent }) => textContent === focused)?.focus();
}

export function failureCard(retry: (() => void) | null, leave: () => void): HTMLElement {
  const actions = retry ? [{ label: t`Try again`, run: retry, first: true }] : [];
  return card(
    'plain',
    t`The game could not be opened`,
    retry
      ? t`There was no answer. Nothing was staked.`
      : t`This game link has already been used or has expired. Go back and open the game again.`,
    [...actions, { label: t`Leave`, run: leave }],
  );
}

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

type LimitActions = {
  money: (amount: number) => string;
  /** Lowers the stake to fit the limit. Null when no stake fits. */
  lower: Action | null;
  limits: () => void;
  leave: () => void;
};

/** The card for a reached limit. Before the limit is known, the text is shorter. Adding the limit does not move the buttons. */
export function limitCard(limit: LimitState | null, actions: LimitActions): HTMLElement {
  const { money, lower, limits, leave } = actions;
  const nothingStaked = t`Nothing was staked in this round.`;
  return card(
    'limit',
    limit && lower ? t`This stake is over your limit` : t`A limit has been reached`,
    limit ? `${limitText(limit, money)} ${nothingStaked}` : nothingStaked,
    [
      // No button is highlighted, so the player is not urged to continue.
      ...(lower ? [lower] : []),
      { label: t`My limits`, run: limits },
      { label: t`Leave`, run: leave },
    ],
  );
}

function limitText(
  { kind, period, amount: limitAmount, left: limitLeft }: LimitState,
  money: LimitActions['money'],
): string {
  const [amount, left] = [money(limitAmount), money(limitLeft)];
  const texts = {
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
  return texts[kind][period];
}

export function stopCard(
  reason: 'excluded' | 'expired' | 'replaced',
  leave: () => void,
): HTMLElement {
  const texts = {
    excluded: [
      t`You cannot play at the moment`,
      t`No stake is taken during a break. Nothing was staked in this round.`,
    ],
    expired: [
      t`This session has ended`,
      t`Go back and open the game again. Your finished rounds are in your record.`,
    ],
    replaced: [
      t`You have games open in other windows`,
      t`This window no longer follows the table. Your tickets still count. Open the game again to see them.`,
    ],
  } as const;
  const [title, text] = texts[reason];
  return card('plain', title, text, [{ label: t`Leave`, run: leave }]);
}
