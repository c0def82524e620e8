import { t } from '@lingui/core/macro';

import { bdi, el } from '../kit/dom.ts';
import { isMotionReduced, animateElement, playSteps } from '../kit/motion.ts';
import { playSound } from '../kit/sound.ts';
import { flatDie, isometricDie } from './dice.ts';
import type { Engine, MakeSpot, StageView } from './engine.ts';
import { historyStrip } from './history-strip.ts';

import './sicbo.css';

type Result = { dice: readonly [number, number, number] };

const parseResult = (result: unknown): Result['dice'] => (result as Result).dice;

const totalOf = (dice: Result['dice']): number => dice[0] + dice[1] + dice[2];
const isTriple = ([a, b, c]: Result['dice']): boolean => a === b && b === c;

type Kind = 'small' | 'big' | 'triple';

/** A triple is neither small nor big. */
export const kindOf = (dice: Result['dice']): Kind =>
  isTriple(dice) ? 'triple' : totalOf(dice) <= 10 ? 'small' : 'big';

function kindName(kind: Kind): string {
  switch (kind) {
    case 'small':
      return t`Small`;
    case 'big':
      return t`Big`;
    case 'triple':
      return t`Triple`;
  }
}

const times = { lid: 200, shake: 620, shakeMs: 1400, lift: 2300, liftMs: 320, end: 3100 };

function stage(): StageView {
  const dice = el('div', { class: 'dome-dice', dir: 'ltr' });
  const lid = el('div', { class: 'dome-lid' });
  const bowl = el(
    'div',
    { class: 'dome-bowl' },
    el('div', { class: 'dome-plate' }),
    dice,
    el('div', { class: 'dome-glass' }),
    lid,
  );
  const root = el('div', { class: 'dome', 'aria-hidden': 'true' }, bowl);
  const show = (values: readonly number[]): void =>
    dice.replaceChildren(...values.map((value) => isometricDie(value)));
  const cover = (on: boolean): void => {
    lid.dataset.on = String(on);
  };
  cover(false);
  async function lift(): Promise<void> {
    const up = { translate: '0 -110px', opacity: 0 };
    await animateElement(lid, [{}, up], { duration: times.liftMs });
    cover(false);
  }
  return {
    root,
    setLabels() {},
    showIdle(last): void {
      cover(false);
      show(last == null ? [1, 1, 1] : parseResult(last));
    },
    deal(value, since, { announce, done }) {
      const values = parseResult(value);
      const [a, b, c] = values;
      return playSteps(
        [
          [
            times.lid,
            (late) => {
              cover(true);
              if (!late)
                void animateElement(lid, [{ translate: '0 -90px', opacity: 0 }, { opacity: 1 }], {
                  duration: times.liftMs,
                });
            },
          ],
          [
            times.shake,
            (late) => {
              show(values);
              if (late || isMotionReduced()) return;
              playSound('diceShake');
              void animateElement(bowl, shaking, { duration: times.shakeMs, easing: 'linear' });
            },
          ],
          [
            times.lift,
            (late) => {
              if (late) cover(false);
              else {
                playSound('lid');
                void lift();
              }
              announce(t`Dice ${a}, ${b} and ${c}`);
            },
          ],
          [times.end, done],
        ],
        since,
      );
    },
  };
}

const shaking: Keyframe[] = [
  {},
  { translate: '-9px -5px', rotate: '-3deg' },
  { translate: '10px 3px', rotate: '3deg' },
  { translate: '-11px 2px', rotate: '-4deg' },
  { translate: '9px -6px', rotate: '2deg' },
  { translate: '-8px 4px', rotate: '-2deg' },
  { translate: '11px -3px', rotate: '4deg' },
  { translate: '-6px 2px', rotate: '-2deg' },
  { translate: '4px -2px', rotate: '1deg' },
  {},
];

const faces = [1, 2, 3, 4, 5, 6] as const;

const row = (name: string, ...parts: HTMLElement[]): HTMLElement =>
  el('div', { class: `cloth-row ${name}` }, ...parts);

function cloth(spot: MakeSpot) {
  const number = (total: number): HTMLElement =>
    spot(`total${total}`, { kind: 'number', tone: total <= 10 ? 'first' : 'second' });
  const totals = (from: number): HTMLElement[] =>
    Array.from({ length: 7 }, (_, i) => number(from + i));
  return {
    root: el(
      'div',
      { class: 'cloth sicbo-cloth' },
      row(
        'sizes',
        spot('small', { kind: 'size', tone: 'first', parts: [bdi('4–10')] }),
        spot('anyTriple', {
          kind: 'size',
          tone: 'triple',
          parts: [5, 5, 5].map((v) => flatDie(v)),
        }),
        spot('big', { kind: 'size', tone: 'second', parts: [bdi('11–17')] }),
      ),
      row(
        'halves',
        spot('even', { kind: 'flat', tone: 'plain' }),
        spot('odd', { kind: 'flat', tone: 'plain' }),
      ),
      row('totals', ...totals(4)),
      row('totals', ...totals(11)),
      row(
        'sixes',
        ...faces.map((face) =>
          spot(`double${face}`, {
            kind: 'dice',
            tone: 'plain',
            parts: [flatDie(face), flatDie(face)],
            bare: true,
          }),
        ),
      ),
      row(
        'sixes singles',
        ...faces.map((face) =>
          spot(`single${face}`, {
            kind: 'dice',
            tone: 'plain',
            parts: [flatDie(face)],
            bare: true,
          }),
        ),
      ),
    ),
    more: [
      { title: () => t`A triple of one number`, prefix: 'triple' },
      { title: () => t`Two numbers together`, prefix: 'pair' },
    ],
  };
}

const digitsOf = (id: string): number[] => id.replaceAll(/\D/g, '').split('').map(Number);

function spotName(id: string): string {
  const kind = id.replaceAll(/\d/g, '');
  const [a = 0, b = 0] = digitsOf(id);
  const total = Number(id.replaceAll(/\D/g, ''));
  switch (kind) {
    case 'small':
      return t`Small`;
    case 'big':
      return t`Big`;
    case 'odd':
      return t`Odd`;
    case 'even':
      return t`Even`;
    case 'anyTriple':
      return t`Any triple`;
    case 'total':
      return String(total);
    case 'double':
      return t`Double ${a}`;
    case 'triple':
      return t`Triple ${a}`;
    case 'pair':
      return t`${a} and ${b}`;
    case 'single':
      return t`Number ${a}`;
    default:
      return id;
  }
}

function won(dice: Result['dice'], id: string): boolean {
  const kind = id.replaceAll(/\d/g, '');
  const [a = 0, b = 0] = digitsOf(id);
  const count = (face: number): number => dice.filter((one) => one === face).length;
  const triple = isTriple(dice);
  const total = totalOf(dice);
  switch (kind) {
    case 'small':
    case 'big':
      return kindOf(dice) === kind;
    case 'odd':
      return !triple && total % 2 === 1;
    case 'even':
      return !triple && total % 2 === 0;
    case 'anyTriple':
      return triple;
    case 'total':
      return id === `total${total}`;
    case 'double':
      return count(a) >= 2;
    case 'triple':
      return count(a) === 3;
    case 'pair':
      return count(a) > 0 && count(b) > 0;
    case 'single':
      return count(a) > 0;
    default:
      return false;
  }
}

const tones = { small: 'first', big: 'second', triple: 'triple' } as const;

function outcomeText(value: unknown): string {
  const dice = parseResult(value);
  const total = totalOf(dice);
  const name = kindName(kindOf(dice));
  return `${total} · ${name}`;
}

export const engine: Engine = {
  backdrop: { dark: '#231a45', light: '#5a48a8' },
  host: false,
  stageLayout: 'centre',
  stage,
  history: () =>
    historyStrip(10, (value) => {
      const dice = parseResult(value);
      return { text: String(totalOf(dice)), tone: tones[kindOf(dice)], name: outcomeText(value) };
    }),
  cloth,
  spotName,
  dealingLabel: () => t`The dice roll`,
  dealMs: () => times.end,
  isWinning: (value, { id }) => won(parseResult(value), id),
  outcomeText,
  lastResult(value) {
    const dice = parseResult(value);
    return [
      el('span', { class: 'past-dice', dir: 'ltr' }, ...dice.map((one) => flatDie(one))),
      el('b', { 'data-tone': tones[kindOf(dice)] }, outcomeText(value)),
    ];
  },
  rules: () => [
    t`Three dice are thrown. Small is a sum of 4 to 10, big 11 to 17. Three of a kind are neither, and neither odd nor even.`,
    t`A single number pays 1:1 if one die shows it, 2:1 for two, 3:1 for three.`,
    t`A double pays if at least two dice show the number.`,
    t`Every throw is independent. No round depends on an earlier one.`,
  ],
};
