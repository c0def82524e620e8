// Roulette with a single zero.
import { t } from '@lingui/core/macro';

import { el } from '../kit/dom.ts';
import { playSteps } from '../kit/motion.ts';
import { playSound } from '../kit/sound.ts';
import type { Engine, MakeSpot, StageView } from './engine.ts';
import { historyStrip } from './history-strip.ts';
import { colourOf, type Colour, wheel } from './wheel.ts';

import './roulette.css';

const parseResult = (result: unknown): number => (result as { number: number }).number;

function colourName(colour: Colour): string {
  switch (colour) {
    case 'red':
      return t`Red`;
    case 'black':
      return t`Black`;
    case 'zero':
      return t`Zero`;
  }
}

const times = { start: 200, end: 5200 };

function stage(): StageView {
  const view = wheel();
  const number = el('b', { class: 'wheel-number', hidden: true });
  const root = el('div', { class: 'wheel-stage' }, view.root, number);
  function tag(value: number | null): void {
    number.hidden = value === null;
    number.textContent = value === null ? '' : String(value);
    number.dataset.tone = value === null ? 'none' : colourOf(value);
  }
  return {
    root,
    setLabels() {},
    showIdle(last): void {
      view.rest(last == null ? null : parseResult(last));
      tag(null);
    },
    deal(value, since, { announce, done }) {
      const result = parseResult(value);
      tag(null);
      return playSteps(
        [
          [
            times.start,
            () => {
              playSound('wheel');
              view.spin(
                result,
                Math.min(view.spinMs, times.end - Math.max(times.start, since) - 300),
              );
              announce(t`The ball rolls`);
            },
          ],
          [
            times.end,
            () => {
              tag(result);
              done();
            },
          ],
        ],
        since,
      );
    },
  };
}

function cloth(spot: MakeSpot) {
  const number = (value: number): HTMLElement =>
    spot(`n${value}`, { kind: 'pocket', tone: colourOf(value) });
  // Three rows of twelve in two halves. Narrow screens stack the halves, so each number stays large enough to tap.
  const half = (from: number): HTMLElement =>
    el(
      'div',
      { class: 'half' },
      ...[3, 2, 1].flatMap((row) =>
        Array.from({ length: 6 }, (_, i) => number((from + i) * 3 + row)),
      ),
    );
  const outside = (id: string, tone = 'plain'): HTMLElement => spot(id, { kind: 'outside', tone });
  return {
    root: el(
      'div',
      // The cloth runs from left to right in every language.
      { class: 'cloth roulette-cloth', dir: 'ltr' },
      el('div', { class: 'zero' }, number(0)),
      el('div', { class: 'numbers' }, half(0), half(6)),
      el(
        'div',
        { class: 'column-bets' },
        outside('column3'),
        outside('column2'),
        outside('column1'),
      ),
      el('div', { class: 'dozens' }, outside('dozen1'), outside('dozen2'), outside('dozen3')),
      el(
        'div',
        { class: 'evens' },
        outside('low'),
        outside('even'),
        outside('red', 'red'),
        outside('black', 'black'),
        outside('odd'),
        outside('high'),
      ),
    ),
    more: [
      { title: () => t`Split: two numbers`, prefix: 'split-' },
      { title: () => t`Street: three numbers`, prefix: 'street-' },
      { title: () => t`Corner: four numbers`, prefix: 'corner-' },
      { title: () => t`Six line: six numbers`, prefix: 'line-' },
    ],
  };
}

function spotName(id: string): string {
  const [kind = '', ...numbers] = id.split('-');
  if (numbers.length > 0) {
    const list = numbers.join('–');
    switch (kind) {
      case 'split':
        return t`Split ${list}`;
      case 'street':
        return t`Street ${list}`;
      case 'corner':
        return t`Corner ${list}`;
      default:
        return t`Six line ${list}`;
    }
  }
  const at = Number(id.replaceAll(/\D/g, ''));
  switch (id.replaceAll(/\d/g, '')) {
    case 'n':
      return String(at);
    case 'dozen':
      return `${at * 12 - 11}–${at * 12}`;
    case 'column':
      return t`Column ${at}`;
    case 'red':
    case 'black':
      return colourName(id as Colour);
    case 'odd':
      return t`Odd`;
    case 'even':
      return t`Even`;
    case 'low':
      return '1–18';
    case 'high':
      return '19–36';
    default:
      return id;
  }
}

/** Reports whether a spot covers a number. The spot's id lists its numbers. */
export function covers(id: string, number: number): boolean {
  const [, ...list] = id.split('-');
  if (list.length > 0) return list.map(Number).includes(number);
  const at = Number(id.replaceAll(/\D/g, ''));
  const kind = id.replaceAll(/\d/g, '');
  if (kind === 'n') return at === number;
  if (number === 0) return false;
  switch (kind) {
    case 'dozen':
      return Math.ceil(number / 12) === at;
    case 'column':
      return (number - at) % 3 === 0;
    case 'red':
    case 'black':
      return colourOf(number) === kind;
    case 'odd':
      return number % 2 === 1;
    case 'even':
      return number % 2 === 0;
    case 'low':
      return number <= 18;
    case 'high':
      return number > 18;
    default:
      return false;
  }
}

function outcomeText(value: unknown): string {
  const number = parseResult(value);
  const colour = colourName(colourOf(number));
  return number === 0 ? colour : `${number} · ${colour}`;
}

export const engine: Engine = {
  backdrop: { dark: '#0c2a20', light: '#1d5a45' },
  host: false,
  stageLayout: 'centre',
  stage,
  history: () =>
    historyStrip(10, (value) => {
      const number = parseResult(value);
      return { text: String(number), tone: colourOf(number), name: outcomeText(value) };
    }),
  cloth,
  spotName,
  dealingLabel: () => t`The wheel spins`,
  dealMs: () => times.end,
  isWinning: (value, { id }) => covers(id, parseResult(value)),
  outcomeText,
  lastResult(value) {
    const number = parseResult(value);
    const tone = colourOf(number);
    return [el('b', { class: 'past-number', 'data-tone': tone }, String(number)), colourName(tone)];
  },
  rules: () => [
    t`The wheel has 37 numbers, 0 to 36. A bet wins if it covers the number drawn.`,
    t`On 0, only bets that cover 0 win.`,
    t`Every number is as likely as any other. No round depends on an earlier one.`,
  ],
};
