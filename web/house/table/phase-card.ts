// The texts at the bottom of the table: a card while bets are closed, a hint above the chips while they are open.
import { t } from '@lingui/core/macro';

import type { Phase } from './phase.ts';
import { resultCard, settlementOf } from './result.ts';
import { unconfirmedOf, type State, stakedOf, totalOf } from './state.ts';
import { noticeText, ticketName, type Texts } from './texts.ts';
import type { PhaseCard } from './tray.ts';

/** Failed attempts to reach the server. */
export type Trouble = { attempt: number; since: number };

export type TableSnapshot = {
  state: State;
  phase: Phase;
  leftMs: number;
  trouble: Trouble | null;
  texts: Texts;
  outcomeText: (result: unknown) => string;
  dealText: string;
  counted: number | null;
};

export function phaseCard(now: TableSnapshot): PhaseCard | null {
  const { state, phase, leftMs, trouble, texts } = now;
  const stake = totalOf(stakedOf(state));
  const amount = texts.money(stake);
  const plain = { kind: 'plain', end: '' } as const;
  if (trouble) return reconnecting(state, trouble, stake, texts);
  switch (phase) {
    case 'betting':
    case 'closing':
      return null;
    case 'waiting': {
      const number = state.round?.number ?? 0;
      const seconds = Math.ceil(leftMs / 1000);
      const text =
        seconds > 0 ? t`Round ${number} opens in ${seconds} s` : t`The table is getting ready.`;
      return { ...plain, mark: 'hourglass', head: t`Waiting for the next round`, text };
    }
    case 'locked': {
      const head = t`Bets are closed`;
      if (stake === 0)
        return {
          ...plain,
          mark: 'lock',
          head,
          text: state.sending ? t`Recording your stake…` : noStakeText(state),
        };
      return { ...plain, mark: 'lock', head, text: recorded(state, texts), end: amount };
    }
    case 'dealing':
      return {
        kind: 'deal',
        mark: 'table',
        head: t`The round is being played`,
        // A refused stake stays on display until the round is over.
        text: state.notice === 'closed' ? noticeLine(state, texts) : now.dealText,
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
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  const soon = leftMs > 0 ? t`Next: ${seconds} s` : '';
  return resultCard(
    now.outcomeText(state.round?.result),
    settlementOf(state.visible.mine),
    now.counted,
    soon,
    texts,
  );
}

const noStakeText = ({ notice }: State): string =>
  notice === 'returned' || notice === 'closed'
    ? noticeText(notice)
    : t`You have no stake in this round.`;

function reconnecting(state: State, { attempt }: Trouble, stake: number, texts: Texts): PhaseCard {
  const sending = state.sending ? texts.money(state.sending.total) : '';
  const staked = texts.money(stake);
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

function recorded(state: State, texts: Texts): string {
  const amount = texts.money(totalOf(stakedOf(state)));
  const codes = state.visible.mine
    .filter(({ status }) => status !== 'refused')
    .map(({ betId }) => ticketName(betId))
    .join(', ');
  return t`Recorded ${amount} · ticket ${codes}`;
}

export const noticeLine = ({ notice, maximum }: State, { money }: Pick<Texts, 'money'>): string =>
  notice ? noticeText(notice, maximum === null ? null : money(maximum)) : '';

export function trayHint(
  state: State,
  phase: Phase,
  missedText: string,
  texts: Texts,
): [string, 'plain' | 'warn'] {
  if (state.notice) return [noticeLine(state, texts), 'warn'];
  if (state.sending) return [t`Recording your stake…`, 'plain'];
  if (totalOf(unconfirmedOf(state)) > 0 && phase === 'closing')
    return [t`Chips that are not confirmed go back at the close`, 'warn'];
  if (totalOf(stakedOf(state)) > 0) return [recorded(state, texts), 'plain'];
  if (missedText) return [missedText, 'plain'];
  const chip = texts.money(state.chip);
  return [t`Tap a spot to put a chip of ${chip}`, 'plain'];
}
