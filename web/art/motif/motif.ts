/** Finds the drawing of a motif by its name in the catalogue. */
import { random } from '../random.ts';
import { blur, emoji, linear, radial } from '../svg.ts';
import { cardMotifs } from './card.ts';
import { lotteryMotifs } from './lottery.ts';
import { pieceMotifs } from './piece.ts';
import { tableMotifs } from './table.ts';

const DRAWN: Record<string, (draw: ReturnType<typeof random>) => string> = {
  ...cardMotifs,
  ...tableMotifs,
  ...lotteryMotifs,
  ...pieceMotifs,
};

const PREFIX = 'drawn/';

/** The gradients and shadows the drawn motifs are shaded with. */
export const motifDefs =
  radial('ball', [0.34, 0.26], 0.82, [
    [0, '#fff', 0.8],
    [0.38, '#fff', 0],
    [0.72, '#000', 0.06],
    [1, '#000', 0.46],
  ]) +
  linear(
    'paper',
    [0, 0],
    [0.8, 1],
    [
      [0, '#ffffff'],
      [0.6, '#f3f5fd'],
      [1, '#cdd5ee'],
    ],
  ) +
  linear(
    'sheen',
    [0, 0],
    [0.9, 1],
    [
      [0, '#fff', 0.55],
      [0.42, '#fff', 0.06],
      [1, '#000', 0.2],
    ],
  ) +
  linear(
    'barrel',
    [0, 0],
    [1, 0],
    [
      [0, '#000', 0.42],
      [0.3, '#fff', 0.26],
      [0.6, '#000', 0],
      [1, '#000', 0.5],
    ],
  ) +
  linear(
    'brass',
    [0, 0],
    [0.7, 1],
    [
      [0, '#fff3c4'],
      [0.35, '#ffce5a'],
      [0.7, '#d88a17'],
      [1, '#8c4d08'],
    ],
  ) +
  linear(
    'wood',
    [0, 0],
    [0.6, 1],
    [
      [0, '#b5652c'],
      [0.5, '#7c3b14'],
      [1, '#431b07'],
    ],
  ) +
  linear(
    'pine',
    [0, 0],
    [0.5, 1],
    [
      [0, '#ffe2ae'],
      [0.6, '#eab871'],
      [1, '#b97a35'],
    ],
  ) +
  linear(
    'porcelain',
    [0, 0],
    [0.7, 1],
    [
      [0, '#ffffff'],
      [0.55, '#e6ebf8'],
      [1, '#a7b2d4'],
    ],
  ) +
  blur('near', 7);

/** A motif around the origin, `size` across. */
export function motif(name: string, seed: number, size: number): string {
  if (!name.startsWith(PREFIX)) return emoji(name, 0, 0, size);
  const drawing = DRAWN[name.slice(PREFIX.length)];
  if (!drawing) throw new Error(`unknown motif ${name}`);
  return `<g transform="scale(${(size / 268).toFixed(3)})">${drawing(random(seed))}</g>`;
}

export const isDrawn = (name: string): boolean => name.startsWith(PREFIX);
