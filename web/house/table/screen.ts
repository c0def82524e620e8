// Draws the table and the tray, and sends messages to the app.
import { t } from '@lingui/core/macro';

import { leaveOfferedAfterMs } from '../kit/api.ts';
import { sendToApp } from '../kit/bridge.ts';
import { limitCard, stopCard } from '../kit/cards.ts';
import type { Engine } from './engine.ts';
import { phaseCard, trayHint, type TableSnapshot } from './phase-card.ts';
import type { ticketResults } from './result.ts';
import { commitmentOf } from './rules.ts';
import { chipsWithinLimit, type State, stakedOf, sumOf, totalOf, notYetStaked } from './state.ts';
import { rangeOf, type Texts } from './texts.ts';
import type { View } from './view.ts';
import type { Round, TableSession } from './wire.ts';

const leave = (): void => sendToApp({ type: 'close' });

export function sendReady({ game }: TableSession, engine: Engine, { table, round }: State): void {
  const theme = document.documentElement.dataset.theme === 'light' ? 'light' : 'dark';
  sendToApp({
    type: 'ready',
    title: game.name,
    engine: game.engine,
    rtp: rangeOf(table.spots.map(({ rtp }) => rtp)),
    provable: true,
    backdrop: engine.backdrop[theme],
  });
  sendCommitment(round);
}

/** Sends the commitment before anything is staked on the round. */
export function sendCommitment(round: Round | null): void {
  if (round) sendToApp({ type: 'promise', ...commitmentOf(round) });
}

export function sendRounds(tickets: ReturnType<typeof ticketResults>): void {
  for (const { id, total, win } of tickets)
    sendToApp({ type: 'round', roundId: id, stake: total, win });
}

export function sendStop({ stop }: State): void {
  if (stop === 'expired' || stop === 'limit') sendToApp({ type: stop });
}

function blockingCard(state: State, { money }: Texts, onLower: () => void): HTMLElement | null {
  const { stop, limit, isLimitKnown } = state;
  if (stop !== 'limit') return stop && stopCard(stop, leave);
  const fit = chipsWithinLimit(state);
  const total = totalOf(sumOf(fit ?? []));
  const amount = money(total);
  const small = total > 0 ? t`Lower the stake to ${amount}` : t`Choose smaller chips`;
  const lower = isLimitKnown && fit && { label: limit ? small : t`Play on`, run: onLower };
  return limitCard(limit, {
    money,
    lower: lower || null,
    limits: () => sendToApp({ type: 'limits' }),
    leave,
  });
}

/** Redraws only the parts whose state changed. */
export function drawTable(
  view: View,
  state: State,
  previous: State | null,
  texts: Texts,
  onLower: () => void,
): void {
  if (state === previous) return;
  const staked = stakedOf(state);
  const unconfirmed = notYetStaked(state);
  view.setCrowd(state.crowd);
  if (state.visible.history !== previous?.visible.history) view.setHistory(state.visible.history);
  view.setChips(staked, unconfirmed, state.table.chips);
  view.setAmounts(texts.money(state.visible.balance), staked, unconfirmed);
  view.tray.setChips(state.table.chips, state.chip, texts.money);
  const same =
    state.stop === previous?.stop &&
    state.isLimitKnown === previous.isLimitKnown &&
    state.unconfirmed === previous.unconfirmed;
  if (!same || state.limit !== previous.limit) view.setCard(blockingCard(state, texts, onLower));
}

export function drawTray(view: View, now: TableSnapshot & { missedText: string }): void {
  const { state, phase, trouble, texts, missedText } = now;
  const { tray } = view;
  view.root.dataset.trouble = String(trouble !== null);
  const card = phaseCard(now);
  const long = trouble !== null && performance.now() - trouble.since >= leaveOfferedAfterMs;
  tray.setCard(card, long ? leave : null);
  if (card) return;
  const total = totalOf(notYetStaked(state));
  const amount = texts.money(total);
  tray.setKeys(
    {
      undo: state.unconfirmed.length > 0,
      repeat: state.lastStake !== null && !state.sending && !state.paused,
      confirm: total > 0 && !state.sending && !state.paused,
      busy: state.sending !== null,
    },
    total > 0 ? t`Confirm ${amount}` : t`Confirm`,
  );
  const [hint, kind] = trayHint(state, phase, missedText, texts);
  view.setHint(hint, kind);
}
