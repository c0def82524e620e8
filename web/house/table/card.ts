// What the bottom of the table says at each moment: a card while nothing can be staked, a line above the chips while
// something can. Words only; nothing here decides.
import { t } from '@lingui/core/macro';

import type { Phase } from './phase.ts';
import { resultCard, settledOf } from './result.ts';
import { putOf, type State, stakedOf, totalOf } from './state.ts';
import type { PhaseCard } from './tray.ts';
import { noticeWords, ticketName, type Words } from './words.ts';

/** How often the server was asked in vain, and since when. */
export type Trouble = { attempt: number; since: number };

export type Moment = {
  state: State;
  phase: Phase;
  leftMs: number;
  trouble: Trouble | null;
  words: Words;
  outcome: (result: unknown) => string;
  /** What has been seen of the deal. */
  dealt: string;
  counted: number | null;
};

export function cardOf(now: Moment): PhaseCard | null {
  const { state, phase, leftMs, trouble, words } = now;
  const stake = totalOf(stakedOf(state));
  const amount = words.money(stake);
  const plain = { kind: 'plain', end: '' } as const;
  if (trouble) return reconnecting(state, trouble, stake, words);
  switch (phase) {
    case 'betting':
    case 'closing':
      return null;
    case 'waiting': {
      const number = state.round?.number ?? 0;
      const seconds = Math.ceil(leftMs / 1000);
      const text =
        seconds > 0 ? t`Round ${number} opens in ${seconds} s` : t`The table is being made ready.`;
      return { ...plain, mark: 'hourglass', head: t`Waiting for the next round`, text };
    }
    case 'locked': {
      const head = t`Bets are closed`;
      if (stake === 0)
        return {
          ...plain,
          mark: 'lock',
          head,
          text: state.sending ? t`Recording your stake…` : withoutStake(state),
        };
      return { ...plain, mark: 'lock', head, text: recorded(state, words), end: amount };
    }
    case 'dealing':
      if (state.round && state.shown === state.round.id) break;
      return {
        kind: 'deal',
        mark: 'table',
        head: t`The round is being played`,
        // What was not taken is told until the round is over.
        text: state.notice === 'closed' ? noticeSaid(state, words) : now.dealt,
        end: stake > 0 ? amount : '',
      };
    case 'void':
      return {
        ...plain,
        mark: 'undo',
        head: t`Round called off`,
        text:
          stake > 0 ? t`Your stake of ${amount} comes back.` : t`You had no stake in this round.`,
      };
    case 'result':
      break;
  }
  if (!state.round || state.shown !== state.round.id)
    return {
      kind: 'deal',
      mark: 'table',
      head: t`The round is being played`,
      text: now.dealt,
      end: '',
    };
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  const soon = phase === 'result' && leftMs > 0 ? t`Next: ${seconds} s` : '';
  return resultCard(
    now.outcome(state.round.result),
    settledOf(state.told.mine),
    now.counted,
    soon,
    words,
  );
}

/** After the close the cloth is bare: either nothing lay on it, or it was not confirmed. */
const withoutStake = ({ notice }: State): string =>
  notice === 'returned' || notice === 'closed'
    ? noticeWords(notice)
    : t`You have no stake in this round.`;

function reconnecting(state: State, { attempt }: Trouble, stake: number, words: Words): PhaseCard {
  const sending = state.sending ? words.money(state.sending.total) : '';
  const staked = words.money(stake);
  return {
    kind: 'amber',
    mark: 'offline',
    head: t`Reconnecting… try ${attempt}`,
    text: sending
      ? t`If your stake of ${sending} was taken, the round runs on at the server and its result will be shown here. Nothing is staked twice.`
      : stake > 0
        ? t`Your stake of ${staked} is recorded. The round goes on, and its result will be shown here.`
        : t`You have no stake in this round. The round goes on without you.`,
    end: '',
  };
}

function recorded(state: State, words: Words): string {
  const amount = words.money(totalOf(stakedOf(state)));
  const codes = state.told.mine
    .filter(({ status }) => status !== 'refused')
    .map(({ betId }) => ticketName(betId))
    .join(', ');
  return t`Recorded ${amount} · ticket ${codes}`;
}

/** What was not possible, and how much would have been. */
export const noticeSaid = ({ notice, most }: State, { money }: Pick<Words, 'money'>): string =>
  notice ? noticeWords(notice, most === null ? null : money(most)) : '';

/** The line above the chips. */
export function hintOf(
  state: State,
  phase: Phase,
  last: string,
  words: Words,
): [string, 'plain' | 'warn'] {
  if (state.notice) return [noticeSaid(state, words), 'warn'];
  if (state.sending) return [t`Recording your stake…`, 'plain'];
  if (totalOf(putOf(state)) > 0 && phase === 'closing')
    return [t`Chips that are not confirmed go back at the close`, 'warn'];
  if (totalOf(stakedOf(state)) > 0) return [recorded(state, words), 'plain'];
  if (last) return [last, 'plain'];
  const chip = words.money(state.chip);
  return [t`Tap a spot to put a chip of ${chip}`, 'plain'];
}
