// What a round came to for the player, once it has been settled.
import { t } from '@lingui/core/macro';

import { showOf } from '../kit/celebrate.ts';
import type { Phase } from './phase.ts';
import type { State } from './state.ts';
import type { PhaseCard } from './tray.ts';
import type { Bet } from './wire.ts';
import type { Words } from './words.ts';

export type Settled = {
  stake: number;
  /** What came back. */
  win: number;
  /** What could not be paid yet, and will be later. */
  owed: number;
  /** Some ticket is not settled yet. */
  open: boolean;
};

export function settledOf(mine: readonly Bet[]): Settled {
  const counted = ticketsOf(mine);
  return {
    stake: counted.reduce((sum, { total }) => sum + total, 0),
    win: counted.reduce((sum, { win }) => sum + win, 0),
    owed: mine.reduce((sum, { status, win }) => sum + (status === 'owed' ? win : 0), 0),
    open: mine.some(({ status }) => status === 'placed'),
  };
}

/** Each ticket that stood, with what came back on it. */
export const ticketsOf = (mine: readonly Bet[]) =>
  mine
    .filter(({ status }) => status !== 'refused')
    .map(({ id, total, win, status }) => ({
      id,
      total,
      win: status === 'refunded' ? total : status === 'owed' ? 0 : win,
    }));

/** Whether a stake lies in this round whose result was not told. */
export const owesResult = ({ round, known }: State, told: string | null): boolean =>
  round !== null && round.id !== told && settledOf(known.mine).stake > 0;

/** Whether money of the player is in a round. A limit takes no further stake; what lies there is played for. */
export function isBusy(state: State, phase: Phase | null, told: string | null): boolean {
  const { sending, stop } = state;
  const runs = phase !== null && phase !== 'waiting' && owesResult(state, told);
  return (!stop || stop === 'limit') && (sending !== null || runs);
}

/** Said wherever the result is, so that nobody takes it for lost. */
const owedText = (owed: number, words: Words): string => {
  const amount = words.money(owed);
  return t`${amount} could not be paid to you yet. It is yours and will be paid later.`;
};

/** More than the stake of the round is celebrated; all else is told as it is. */
export function resultCard(
  outcome: string,
  { stake, win, owed, open }: Settled,
  counted: number | null,
  soon: string,
  words: Words,
): PhaseCard {
  const staked = words.money(stake);
  const plain = { kind: 'plain', mark: 'check', head: outcome, end: soon } as const;
  if (stake === 0) return { ...plain, text: t`You had no stake in this round.` };
  if (open) return { ...plain, text: t`Your stake of ${staked} is being settled.` };
  if (owed > 0) return { ...plain, text: owedText(owed, words) };
  const show = showOf(stake, win);
  if (show.kind === 'none') return { ...plain, text: t`Your stake of ${staked} did not win.` };
  // Neither a win nor a loss, and told as neither.
  if (win === stake)
    return { ...plain, text: t`Your stake of ${staked} came back. Nothing won, nothing lost.` };
  const returned = words.money(win);
  const net = words.net(win - stake);
  const text = t`Returned ${returned}, less the stake ${net}`;
  if (show.kind === 'still') return { ...plain, text };
  return {
    kind: 'win',
    mark: 'crown',
    head: outcome,
    text,
    end: words.net(counted ?? win - stake),
  };
}

/** The whole result in one breath, for those who hear it. */
export function resultWords(
  outcome: string,
  { stake, win, owed }: Pick<Settled, 'stake' | 'win' | 'owed'>,
  words: Words,
): string {
  const returned = words.money(win);
  const after = words.net(win - stake);
  const head = outcome ? `${outcome}. ` : '';
  const staked = words.money(stake);
  if (owed > 0) return head + owedText(owed, words);
  if (win === stake) return head + t`Your stake of ${staked} came back. Nothing won, nothing lost.`;
  if (win === 0) return head + t`Nothing won in this round. After the stake: ${after}.`;
  return head + t`Returned ${returned}. After the stake: ${after}.`;
}
