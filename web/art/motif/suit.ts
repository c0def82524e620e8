/** The four suits, drawn around the origin in a box of about 100. */
export type Suit = 'spade' | 'heart' | 'diamond' | 'club';

interface SuitShape {
  path: string;
  colour: string;
}

const INK = '#1b1f38';
const RED = '#d9163f';

export const SUITS: Record<Suit, SuitShape> = {
  spade: {
    path: 'M0-50C14-30 46-10 46 16C46 31 35 40 23 40C15 40 9 37 5 32C6 40 9 46 15 51H-15C-9 46-6 40-5 32C-9 37-15 40-23 40C-35 40-46 31-46 16C-46-10-14-30 0-50Z',
    colour: INK,
  },
  heart: {
    path: 'M0 48C-12 32-46 10-46-18C-46-35-34-46-21-46C-12-46-4-41 0-33C4-41 12-46 21-46C34-46 46-35 46-18C46 10 12 32 0 48Z',
    colour: RED,
  },
  diamond: {
    path: 'M0-52C10-32 22-16 38 0C22 16 10 32 0 52C-10 32-22 16-38 0C-22-16-10-32 0-52Z',
    colour: RED,
  },
  club: {
    path: 'M0-50A23 23 0 0 1 18-13A24 24 0 1 1 5 25C6 36 9 44 15 51H-15C-9 44-6 36-5 25A24 24 0 1 1-18-13A23 23 0 0 1 0-50Z',
    colour: INK,
  },
};

export const SUIT_NAMES: readonly Suit[] = ['spade', 'heart', 'club', 'diamond'];
