/** The mark of the product: a four-pointed star and its spark on amber; as logo, favicon and app icons. */
import type { Picture } from './picture.ts';
import { linear, svg } from './svg.ts';

const AMBER = linear(
  'amber',
  [0.15, 0],
  [0.8, 1],
  [
    [0, '#ffd775'],
    [0.45, '#ffc247'],
    [1, '#ff9d2e'],
  ],
);

/** Star and spark, in a box of 100. */
const MARK =
  '<path d="M46 16C48.5 39 54 46.5 80 52C54 57.5 48.5 65 46 88C43.5 65 38 57.5 12 52C38 46.5 43.5 39 46 16Z" fill="#2a1800"/><circle cx="75" cy="25" r="7.5" fill="#2a1800"/>';

/** `corner` is the background's corner radius; `share` is the mark's part of the width. */
function mark(size: number, corner: number, share: number): string {
  const inset = (100 - share) / 2;
  return svg(
    size,
    size,
    `<defs>${AMBER}</defs><rect width="100" height="100" rx="${corner}" fill="url(#amber)"/><path d="M${corner} 1H${100 - corner}A${corner} ${corner} 0 0 1 99 ${corner}" fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="1.5"/><g transform="translate(${inset} ${inset}) scale(${share / 100})">${MARK}</g>`,
    '0 0 100 100',
  );
}

/** Systems may crop a maskable icon to a circle of 80 %: the mark is smaller and the background reaches the edge. */
export const brandPictures = (): Picture[] => [
  { file: 'art/logo.svg', svg: mark(96, 33, 100) },
  { file: 'icons/favicon.svg', svg: mark(64, 28, 104) },
  { file: 'icons/icon-192.png', svg: mark(192, 26, 96) },
  { file: 'icons/icon-512.png', svg: mark(512, 26, 96) },
  { file: 'icons/maskable-512.png', svg: mark(512, 0, 74) },
  { file: 'icons/apple-touch-icon.png', svg: mark(180, 0, 88) },
];
