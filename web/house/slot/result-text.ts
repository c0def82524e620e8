// The texts of the bar under the reels.
import { t } from '@lingui/core/macro';

import { presentationOf } from '../kit/celebrate.ts';
import { finalStep, type Scene } from './scenes.ts';
import type { Round, Slot, Win } from './session.ts';
import type { State } from './state.ts';
import { freeRoundsText, ruleText, type Texts } from './texts.ts';
import type { Bar } from './view.ts';

export function idleBar({ phase, refusal, stop }: State, slot: Slot): Bar {
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
        head: t`The stake was refunded`,
        text: t`The round could not be finished.`,
      };
    case 'stuck':
      return {
        ...bar,
        head: t`This round could not be paid yet`,
        text: t`Its result is recorded, and the money stays yours. You can keep playing.`,
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
      return { ...bar, head: t`Tap Spin to begin`, text: ruleText(slot) };
  }
}

/** The bar during a round of several scenes. It shows no celebration, because the round may still end in a loss. */
export function sceneBar(scene: Scene, texts: Texts): Bar {
  const soFar = texts.money(scene.returnedSoFar);
  const back = t`Back so far: ${soFar}`;
  const bar = { kind: 'quiet' } as const;
  switch (scene.kind) {
    case 'award': {
      const many = freeRoundsText(scene.rounds);
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

/** Returns the free round number and the multiplier; empty for a plain spin. */
export function counterText(scene: Scene): string {
  const { multiplier } = scene.kind === 'fall' ? scene.from : scene.step;
  return [freeOf(scene), multiplier > 1 ? `×${multiplier}` : ''].filter(Boolean).join(' · ');
}

function freeOf({ free }: Scene): string {
  if (!free) return '';
  const { number, of } = free;
  return t`Free round ${number} of ${of}`;
}

type ResultProgress = {
  /** The amount counted up so far. */
  counted: number;
  lit: Win | null;
  /** The round is from before this page opened. */
  isOld: boolean;
};

export function resultBar(
  round: Round,
  texts: Texts,
  { counted, lit, isOld }: ResultProgress,
): Bar {
  const presentation = presentationOf(round.stake, round.win);
  const after = texts.net(round.win - round.stake);
  if (presentation.kind === 'none') {
    return {
      kind: 'quiet',
      head: isOld ? t`Last round: nothing won` : t`Not won this time`,
      text: '',
      net: [t`After the stake`, after],
    };
  }
  const amount = texts.money(counted);
  const head = presentation.kind === 'win' ? t`Won ${amount}` : t`Return ${amount}`;
  const wins = finalStep(round)?.step.wins ?? [];
  const win = wins.find((one) => one === lit) ?? wins[0];
  return {
    kind: isOld ? 'returned' : presentation.kind,
    head: isOld ? t`Last round: ${amount}` : head,
    text: texts.summary(round) || (win ? texts.win(win, round.stake) : ''),
    net: [t`after the stake`, after],
  };
}
