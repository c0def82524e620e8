// Roulette with one zero: a wheel, a cloth, and a sheet for the bets between numbers.
import { t } from '@lingui/core/macro';

import { el } from '../kit/dom.ts';
import { playSteps } from '../kit/motion.ts';
import { play } from '../kit/sound.ts';
import type { Engine, MakeSpot, StageView } from './engine.ts';
import { pastStrip } from './strip.ts';
import { colourOf, type Colour, wheel } from './wheel.ts';

import './roulette.css';

const read = (result: unknown): number => (result as { number: number }).number;

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

/** The ball starts, falls and lies; the rest of the time is for reading. */
const pace = { start: 200, end: 5200 };

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
    name() {},
    rest(last): void {
      view.rest(last == null ? null : read(last));
      tag(null);
    },
    deal(value, since, { tell, done }) {
      const result = read(value);
      tag(null);
      return playSteps(
        [
          [
            pace.start,
            () => {
              play('wheel');
              view.spin(
                result,
                Math.min(view.spinMs, pace.end - Math.max(pace.start, since) - 300),
              );
              tell(t`The ball rolls`);
            },
          ],
          [
            pace.end,
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
  // Three rows of twelve, as on every cloth, the highest row at the top; in two halves, which stand one above the other
  // where a finger would not find one of twelve beside each other.
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
      // A cloth lies as it lies: numbers run from the left in every language.
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
      return t`Row ${at}`;
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

/** Whether a spot covers a number: read from its name, which says it. */
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

function outcome(value: unknown): string {
  const number = read(value);
  const colour = colourName(colourOf(number));
  return number === 0 ? colour : `${number} · ${colour}`;
}

export const engine: Engine = {
  backdrop: { dark: '#0c2a20', light: '#1d5a45' },
  host: false,
  stage,
  road: () =>
    pastStrip(10, (value) => {
      const number = read(value);
      return { text: String(number), tone: colourOf(number), name: outcome(value) };
    }),
  cloth,
  spotName,
  dealing: () => t`The wheel spins`,
  won: (value, { id }) => covers(id, read(value)),
  outcome,
  past(value) {
    const number = read(value);
    const tone = colourOf(number);
    return [el('b', { class: 'past-number', 'data-tone': tone }, String(number)), colourName(tone)];
  },
  rules: () => [
    t`The wheel has 37 numbers, 0 to 36. A bet wins if the number that comes is among those that it covers.`,
    t`When 0 comes, only bets that cover 0 win.`,
    t`Every number is as likely as any other. No round depends on an earlier one.`,
  ],
};
