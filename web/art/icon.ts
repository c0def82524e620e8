/** Small pictures: icons of the menus (96 pixels) and spots of the empty and error states (224 pixels). */
import { motif, motifDefs } from './motif/motif.ts';
import type { Picture } from './picture.ts';
import { seedOf } from './random.ts';
import { emoji, glint, radial, svg } from './svg.ts';

const ICONS: Record<string, string> = {
  // quick menu
  fire: '1f525',
  headset: '1f3a7',
  'money-wings': '1f4b8',
  bank: '1f3e6',
  gift: '1f381',
  // categories
  star: '2b50',
  slot: '1f3b0',
  fish: '1f420',
  cards: 'drawn/three',
  ball: '26bd',
  gamepad: '1f3ae',
  lottery: 'drawn/pyramid',
  bolt: '26a1',
  live: 'drawn/roulette',
  lantern: '1f3ee',
  stream: '1f3a5',
  all: '1f3aa',
  // symbols of slots
  dragon: '1f409',
  lotus: '1fab7',
  envelope: '1f9e7',
  // menus and screens
  bell: '1f514',
  calendar: '1f4c5',
  card: '1f4b3',
  chart: '1f4c8',
  chat: '1f4ac',
  coin: '1fa99',
  crown: '1f451',
  diamond: '1f48e',
  download: '1f4e5',
  handshake: '1f91d',
  hourglass: '23f3',
  identity: '1faaa',
  key: '1f511',
  lock: '1f512',
  mail: '1f4e9',
  megaphone: '1f4e2',
  'money-bag': '1f4b0',
  party: '1f389',
  phone: '1f4f1',
  receipt: '1f9fe',
  scales: '2696-fe0f',
  scroll: '1f4dc',
  search: '1f50d',
  shield: '1f6e1-fe0f',
  stopwatch: '23f1-fe0f',
  ticket: '1f39f-fe0f',
  trophy: '1f3c6',
  wallet: '1f45b',
};

const SPOTS: Record<string, { code: string; light: string }> = {
  empty: { code: '1f4ed', light: '#7a8cff' },
  search: { code: '1f50d', light: '#5cc4ff' },
  offline: { code: '1f50c', light: '#ffb35c' },
  error: { code: '1f6a7', light: '#ff8a5c' },
  soon: { code: '1f3aa', light: '#b48cff' },
  lock: { code: '1f512', light: '#ffd05c' },
  star: { code: '2b50', light: '#ffd05c' },
};

function icon(code: string): string {
  return svg(
    96,
    96,
    `<defs>${motifDefs}</defs><g transform="translate(48 48)">${motif(code, seedOf(code), 92)}</g>`,
  );
}

function spot({ code, light }: { code: string; light: string }): string {
  const halo = radial('halo', [0.5, 0.5], 0.5, [
    [0, light, 0.5],
    [0.6, light, 0.16],
    [1, light, 0],
  ]);
  return svg(
    224,
    224,
    `<defs>${halo}</defs><circle cx="112" cy="112" r="112" fill="url(#halo)"/><ellipse cx="112" cy="186" rx="56" ry="9" fill="#000" opacity=".22"/>${emoji(code, 112, 108, 148)}${glint(36, 66, 10, light)}${glint(190, 54, 13, light)}${glint(180, 160, 8, light)}${glint(50, 164, 6, light)}`,
  );
}

export const iconPictures = (): Picture[] => [
  ...Object.entries(ICONS).map(([name, code]) => ({
    file: `art/icons/${name}.webp`,
    svg: icon(code),
  })),
  ...Object.entries(SPOTS).map(([name, of]) => ({ file: `art/spots/${name}.webp`, svg: spot(of) })),
];
