// The player's result of a round.
import { t } from '@lingui/core/macro';

import { presentationOf } from '../kit/celebrate.ts';
import type { Phase } from './phase.ts';
import type { State } from './state.ts';
import type { Texts } from './texts.ts';
import type { PhaseCard } from './tray.ts';
import type { Bet } from './wire.ts';

export type Settlement = {
  stake: number;
  /** The amount returned to the player. */
  win: number;
  /** The amount that could not be paid yet. */
  owed: number;
  /** At least one ticket is not settled. */
  open: boolean;
};

export function settlementOf(mine: readonly Bet[]): Settlement {
  const counted = ticketResults(mine);
  return {
    stake: counted.reduce((sum, { total }) => sum + total, 0),
    win: counted.reduce((sum, { win }) => sum + win, 0),
    owed: mine.reduce((sum, { status, win }) => sum + (status === 'owed' ? win : 0), 0),
    open: mine.some(({ status }) => status === 'placed'),
  };
}

/** Returns each accepted ticket with the amount returned to the player. */
export const ticketResults = (mine: readonly Bet[]) =>
  mine
    .filter(({ status }) => status !== 'refused')
    .map(({ id, total, win, status }) => ({
      id,
      total,
      win: status === 'refunded' ? total : status === 'owed' ? 0 : win,
    }));

/** Reports whether the round has a stake and its result is not shown yet. */
export const hasUnshownResult = ({ round, latest }: State, shownRound: string | null): boolean =>
  round !== null && round.id !== shownRound && settlementOf(latest.mine).stake > 0;

/** Reports whether the player's money is in a round. A limit refuses new stakes; accepted ones still play. */
export function isBusy(state: State, phase: Phase | null, shownRound: string | null): boolean {
  const { sending, stop } = state;
  const runs = phase !== null && phase !== 'waiting' && hasUnshownResult(state, shownRound);
  return (!stop || stop === 'limit') && (sending !== null || runs);
}

const owedText = (owed: number, texts: Texts): string => {
  const amount = texts.money(owed);
  return t`${amount} could not be paid to you yet. It is yours and will be paid later.`;
};

/** Only a win above the round's stake is celebrated. */
export function resultCard(
  outcome: string,
  { stake, win, owed, open }: Settlement,
  counted: number | null,
  soon: string,
  texts: Texts,
): PhaseCard {
  const staked = texts.money(stake);
  const plain = { kind: 'plain', mark: 'check', head: outcome, end: soon } as const;
  if (stake === 0) return { ...plain, text: t`You had no stake in this round.` };
  if (open) return { ...plain, text: t`Your stake of ${staked} is being settled.` };
  if (owed > 0) return { ...plain, text: owedText(owed, texts) };
  const presentation = presentationOf(stake, win);
  if (presentation.kind === 'none')
    return { ...plain, text: t`Your stake of ${staked} did not win.` };
  if (win === stake)
    return { ...plain, text: t`Your stake of ${staked} came back. Nothing won, nothing lost.` };
  const returned = texts.money(win);
  const net = texts.net(win - stake);
  const text = t`Returned ${returned}, less the stake ${net}`;
  if (presentation.kind === 'returned') return { ...plain, text };
  return {
    kind: 'win',
    mark: 'crown',
    head: outcome,
    text,
    end: texts.net(counted ?? win - stake),
  };
}

/** The whole result, for screen readers. */
export function resultAnnouncement(
  outcome: string,
  { stake, win, owed }: Pick<Settlement, 'stake' | 'win' | 'owed'>,
  texts: Texts,
): string {
  const returned = texts.money(win);
  const after = texts.net(win - stake);
  const head = outcome ? `${outcome}. ` : '';
  const staked = texts.money(stake);
  if (owed > 0) return head + owedText(owed, texts);
  if (win === stake) return head + t`Your stake of ${staked} came back. Nothing won, nothing lost.`;
  if (win === 0) return head + t`Nothing won in this round. After the stake: ${after}.`;
  return head + t`Returned ${returned}. After the stake: ${after}.`;
}
