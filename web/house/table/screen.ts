// Puts what is so into sight: the table from its state, the tray from the moment.
import { t } from '@lingui/core/macro';

import { leaveAfter } from '../kit/api.ts';
import { tell } from '../kit/bridge.ts';
import { limitCard, stopCard } from '../kit/panel.ts';
import { cardOf, hintOf, type Moment } from './card.ts';
import type { Engine } from './engine.ts';
import type { ticketsOf } from './result.ts';
import { promisedOf } from './rules.ts';
import { fitting, type State, stakedOf, sumOf, totalOf, unstakedOf } from './state.ts';
import type { View } from './view.ts';
import type { Round, Table, TableSession } from './wire.ts';
import { rangeOf, type Words } from './words.ts';

const leave = (): void => tell({ type: 'close' });

/** The table stands: the app is told what it is, and what it gives back. */
export function tellReady({ game }: TableSession, engine: Engine, { table, round }: State): void {
  const theme = document.documentElement.dataset.theme === 'light' ? 'light' : 'dark';
  tell({
    type: 'ready',
    title: game.name,
    engine: game.engine,
    rtp: rangeOf(table.spots.map(({ rtp }) => rtp)),
    provable: true,
    backdrop: engine.backdrop[theme],
  });
  tellPromise(table, round);
}

/** What the round is drawn from is told when it opens, before anything lies on it. */
export function tellPromise(table: Table, round: Round | null): void {
  if (round) tell({ type: 'promise', ...promisedOf(table, round) });
}

/** The app is told of each ticket what came of it. */
export function tellRounds(tickets: ReturnType<typeof ticketsOf>): void {
  for (const { id, total, win } of tickets) tell({ type: 'round', roundId: id, stake: total, win });
}

/** The app is told what has stopped the game, where that is its affair, too. */
export function tellStop({ stop }: State): void {
  if (stop === 'expired' || stop === 'limit') tell({ type: stop });
}

function cardOfStop(state: State, { money }: Words, onLower: () => void): HTMLElement | null {
  const { stop, limit, heard } = state;
  if (stop !== 'limit') return stop && stopCard(stop, leave);
  const fit = fitting(state);
  const total = totalOf(sumOf(fit ?? []));
  const amount = money(total);
  const small = total > 0 ? t`Lower the stake to ${amount}` : t`Choose smaller chips`;
  const lower = heard && fit && { label: limit ? small : t`Play on`, run: onLower };
  return limitCard(limit, {
    money,
    lower: lower || null,
    limits: () => tell({ type: 'limits' }),
    leave,
  });
}

/** What changes with the state alone, and only where it has changed. */
export function drawTable(
  view: View,
  state: State,
  drawn: State | null,
  words: Words,
  onLower: () => void,
): void {
  if (state === drawn) return;
  const staked = stakedOf(state);
  const put = unstakedOf(state);
  view.crowd(state.crowd);
  if (state.told.history !== drawn?.told.history) view.history(state.told.history);
  view.chips(staked, put, state.table.chips);
  view.purse(words.money(state.told.balance), staked, put);
  view.tray.chips(state.table.chips, state.chip, words.money);
  const same = state.stop === drawn?.stop && state.heard === drawn.heard && state.put === drawn.put;
  if (!same || state.limit !== drawn.limit) view.panel(cardOfStop(state, words, onLower));
}

export function drawTray(view: View, now: Moment & { last: string }): void {
  const { state, phase, trouble, words, last } = now;
  const { tray } = view;
  view.root.dataset.trouble = String(trouble !== null);
  const card = cardOf(now);
  const long = trouble !== null && performance.now() - trouble.since >= leaveAfter;
  tray.card(card, long ? leave : null);
  if (card) return;
  const total = totalOf(unstakedOf(state));
  const amount = words.money(total);
  tray.keys(
    {
      undo: state.put.length > 0,
      repeat: state.last !== null && !state.sending && !state.paused,
      confirm: total > 0 && !state.sending && !state.paused,
      busy: state.sending !== null,
    },
    total > 0 ? t`Confirm ${amount}` : t`Confirm`,
  );
  const [hint, kind] = hintOf(state, phase, last, words);
  view.hint(hint, kind);
}
