/**
 * Card ranks and ball numbers as strokes, because text would depend on the fonts of the building machine.
 */
import { n } from '../svg.ts';

/** Each glyph fills a box of 10 by 14. */
const STROKES: Record<string, string> = {
  '0': 'M5 1C2 1 1 4 1 7S2 13 5 13 9 10 9 7 8 1 5 1Z',
  '1': 'M2 3.8L5.8 1V13',
  '2': 'M1.3 4.2C1.3 2.2 2.8 1 5 1S8.6 2.2 8.6 4.2C8.6 7.2 1.6 9.4 1.2 13H9',
  '3': 'M1.4 2.8C2.2 1.6 3.4 1 5 1C7.1 1 8.5 2.2 8.5 3.9S7.2 6.7 4.4 6.7C7.4 6.7 9 7.9 9 9.9S7.4 13 5 13C3.2 13 1.9 12.3 1 11',
  '4': 'M6.8 13V1L1 9.4H9.6',
  '5': 'M8.4 1H2.5L1.8 6.4C2.8 5.5 4 5.1 5.2 5.1C7.6 5.1 9 6.8 9 9S7.4 13 4.8 13C3 13 1.8 12.3 1 11',
  '6': 'M7.9 1.4C3.7 1.4 1 5 1 9C1 11.4 2.6 13 5 13S9 11.4 9 9 7.4 5.3 5 5.3 1.2 6.8 1 9',
  '7': 'M1 1H9C6.4 4.4 4.7 8.4 4.3 13',
  '8': 'M5 6.6C2.8 6.6 1.6 5.4 1.6 3.8S3 1 5 1 8.4 2.2 8.4 3.8 7.2 6.6 5 6.6C2.6 6.6 1 7.8 1 9.8S2.6 13 5 13 9 11.8 9 9.8 7.4 6.6 5 6.6Z',
  '9': 'M2.1 12.6C6.3 12.6 9 9 9 5C9 2.6 7.4 1 5 1S1 2.6 1 5 2.6 8.7 5 8.7 8.8 7.2 9 5',
  A: 'M.8 13L5 1L9.2 13M2.5 9H7.5',
  J: 'M7.6 1V9.4C7.6 11.6 6.4 13 4.4 13S1.2 11.6 1.2 9.8',
  Q: 'M5 1C2 1 1 4 1 7S2 13 5 13 9 10 9 7 8 1 5 1ZM5.8 9.6L9.4 13.4',
  K: 'M1.6 1V13M9 1L1.8 8.2M4.2 6L9.2 13',
};

/** Writes a short number or rank, centred on the place, `height` tall. */
export function glyphs(text: string, x: number, y: number, height: number, colour: string): string {
  const scale = height / 14;
  const advance = 12.4;
  const width = text.length * advance - 2.4;
  const strokes = text
    .split('')
    .map((char, i) => {
      const path = STROKES[char];
      if (!path) throw new Error(`no glyph for ${char}`);
      return `<path transform="translate(${n(i * advance - width / 2)} -7)" d="${path}"/>`;
    })
    .join('');
  return `<g transform="translate(${n(x)} ${n(y)}) scale(${scale.toFixed(3)})" fill="none" stroke="${colour}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round">${strokes}</g>`;
}
