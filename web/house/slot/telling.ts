// What the bar under the reels says, for every state of the game and every part of a round. Pure: it only chooses words.
import { t } from '@lingui/core/macro';

import { showOf } from '../kit/celebrate.ts';
import { lastOf, type Scene } from './scenes.ts';
import type { Round, Slot, Win } from './session.ts';
import type { State } from './state.ts';
import type { Bar } from './view.ts';
import { freeWord, ruleWord, type Words } from './words.ts';

/** Between rounds: what is to do, or why nothing can be done. */
export function restBar({ phase, refusal, stop }: State, slot: Slot): Bar {
  const bar = { kind: 'quiet', text: '' } as const;
  if (stop) return { ...bar, head: '' };
  if (phase === 'spinning') return { ...bar, head: t`Spinning…` };
  switch (refusal) {
    case 'insufficient':
      return {
        ...bar,
        head: t`Not enough balance`,
        text: t`The balance does not cover this stake. Nothing was staked.`,
      };
    case 'refunded':
      return {
        ...bar,
        head: t`The stake was given back`,
        text: t`The round could not be finished.`,
      };
    case 'aside':
      return {
        ...bar,
        head: t`This round could not be paid yet`,
        text: t`What it brings is noted and stays yours. You can play on.`,
      };
    case 'maintenance':
      return {
        ...bar,
        head: t`This game is closed for maintenance`,
        text: t`The round was not taken. Nothing was staked.`,
      };
    case 'unavailable':
      return {
        ...bar,
        head: t`Not possible right now`,
        text: t`The round was not taken. Nothing was staked.`,
      };
    case null:
      return { ...bar, head: t`Tap Spin to begin`, text: ruleWord(slot) };
  }
}

/** While a round of several parts runs: plainly, for how it ends is not told yet. */
export function sceneBar(scene: Scene, words: Words): Bar {
  const soFar = words.money(scene.back);
  const back = t`Back so far: ${soFar}`;
  const bar = { kind: 'quiet' } as const;
  switch (scene.kind) {
    case 'award': {
      const many = freeWord(scene.rounds);
      return {
        ...bar,
        head: t`${many} to come`,
        text: t`They belong to this bet and cost nothing.`,
      };
    }
    case 'fall':
      return { ...bar, head: back, text: freeOf(scene) };
    case 'turn':
      return { ...bar, head: freeOf(scene), text: back };
  }
}

/** Which free round it is, and what wins are multiplied by; nothing in a plain paid spin. */
export function counterOf(scene: Scene): string {
  const { multiplier } = scene.kind === 'fall' ? scene.from : scene.step;
  return [freeOf(scene), multiplier > 1 ? `×${multiplier}` : ''].filter(Boolean).join(' · ');
}

function freeOf({ free }: Scene): string {
  if (!free) return '';
  const { number, of } = free;
  return t`Free round ${number} of ${of}`;
}

type Told = {
  /** How much of what came back is counted by now. */
  counted: number;
  /** The win that is lit. */
  lit: Win | null;
  /** It was played before this page was opened: news, but not of now. */
  old: boolean;
};

/** A result: what came back, as far as it is counted, for what, and what is left after the stake. */
export function resultBar(round: Round, words: Words, { counted, lit, old }: Told): Bar {
  const show = showOf(round.stake, round.win);
  const after = words.net(round.win - round.stake);
  if (show.kind === 'none') {
    return {
      kind: 'quiet',
      head: old ? t`Last round: nothing won` : t`Not won this time`,
      text: '',
      net: [t`After the stake`, after],
    };
  }
  const amount = words.money(counted);
  const head = show.kind === 'win' ? t`Won ${amount}` : t`Return ${amount}`;
  const wins = lastOf(round)?.step.wins ?? [];
  const win = wins.find((one) => one === lit) ?? wins[0];
  return {
    kind: old ? 'still' : show.kind,
    head: old ? t`Last round: ${amount}` : head,
    text: words.course(round) || (win ? words.win(win, round.stake) : ''),
    net: [t`after the stake`, after],
  };
}
