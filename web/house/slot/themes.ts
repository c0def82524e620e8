// The themes of the slots. The game and the art generator share this list. Colours of the page are in tokens.css.
import type { SymbolName } from '../../src/lib/slot-atlas.ts';

/** Symbols that differ by theme. Letters are the same in all. */
export type ThemedSymbol = Exclude<SymbolName, 'A' | 'K' | 'Q' | 'J' | '10'>;

export type Theme = {
  /** The emoji of each symbol, by code point. */
  symbols: Readonly<Record<ThemedSymbol, string>>;
  /** Emoji above the reels: in the middle, at both sides, and flying around. */
  hero: string;
  sides: string;
  flying: string;
  crest: 'roof' | 'ribbon' | 'wave' | 'steps';
  /** Face from light to dark, and side. */
  crestTones: readonly [light: string, dark: string, side: string];
  /** The colour at the top of the stage, for the app's bar above it. */
  backdrop: Readonly<Record<'dark' | 'light', string>>;
};

export const themes = {
  dragon: {
    symbols: {
      wild: '1f525',
      scatter: '1fa99',
      dragon: '1f409',
      lotus: '1fab7',
      diamond: '1f48e',
      lantern: '1f3ee',
      envelope: '1f9e7',
    },
    hero: '1f409',
    sides: '1f3ee',
    flying: '1fa99',
    crest: 'roof',
    crestTones: ['#f2434c', '#86102a', '#6d0a1e'],
    backdrop: { dark: '#5d0a24', light: '#8a1230' },
  },
  fruit: {
    symbols: {
      wild: '2b50',
      scatter: '1f514',
      dragon: '1f352',
      lotus: '1f349',
      diamond: '1f347',
      lantern: '1f34b',
      envelope: '1f34a',
    },
    hero: '1f352',
    sides: '1f349',
    flying: '1f34b',
    crest: 'ribbon',
    crestTones: ['#3ecb6b', '#0d7a3d', '#07502a'],
    backdrop: { dark: '#0c4327', light: '#157a45' },
  },
  ocean: {
    symbols: {
      wild: '1f531',
      scatter: '1f41a',
      dragon: '1f433',
      lotus: '1f42c',
      diamond: '1f420',
      lantern: '1f422',
      envelope: '1f980',
    },
    hero: '1f42c',
    sides: '1fae7',
    flying: '1f420',
    crest: 'wave',
    crestTones: ['#37b8f2', '#0a5fae', '#06407c'],
    backdrop: { dark: '#06355f', light: '#0b6aa8' },
  },
  egypt: {
    symbols: {
      wild: '1f31e',
      scatter: '1fab2',
      dragon: '1f408-200d-2b1b',
      lotus: '1f42b',
      diamond: '1f40d',
      lantern: '1f3fa',
      envelope: '1f451',
    },
    hero: '1f408-200d-2b1b',
    sides: '1f3fa',
    flying: '1fab2',
    crest: 'steps',
    crestTones: ['#f3c566', '#b07a1c', '#7d520d'],
    backdrop: { dark: '#3e2608', light: '#8a5a12' },
  },
  jungle: {
    symbols: {
      wild: '1f33a',
      scatter: '1f5ff',
      dragon: '1f405',
      lotus: '1f99c',
      diamond: '1f412',
      lantern: '1f438',
      envelope: '1f98b',
    },
    hero: '1f405',
    sides: '1f33f',
    flying: '1f98b',
    crest: 'steps',
    crestTones: ['#8fae5d', '#41602a', '#2a4219'],
    backdrop: { dark: '#12381c', light: '#2b6a2c' },
  },
  space: {
    symbols: {
      wild: '1f31f',
      scatter: '1f6f8',
      dragon: '1f680',
      lotus: '1fa90',
      diamond: '1f47d',
      lantern: '1f6f0-fe0f',
      envelope: '1f31d',
    },
    hero: '1f680',
    sides: '1fa90',
    flying: '1f31f',
    crest: 'wave',
    crestTones: ['#8a6bff', '#3a1fb4', '#241178'],
    backdrop: { dark: '#171049', light: '#3c2aa8' },
  },
  tet: {
    symbols: {
      wild: '1f9e8',
      scatter: '1f381',
      dragon: '1f981',
      lotus: '1f338',
      diamond: '1f34a',
      lantern: '1f375',
      envelope: '1f9e7',
    },
    hero: '1f981',
    sides: '1f338',
    flying: '1f9e7',
    crest: 'ribbon',
    crestTones: ['#ff6a8f', '#b3174b', '#7a0c33'],
    backdrop: { dark: '#6a0f38', light: '#b3244f' },
  },
  sweets: {
    symbols: {
      wild: '1f36d',
      scatter: '1f381',
      dragon: '1f382',
      lotus: '1f369',
      diamond: '1f36c',
      lantern: '1f366',
      envelope: '1f36b',
    },
    hero: '1f9c1',
    sides: '1f366',
    flying: '1f36c',
    crest: 'ribbon',
    crestTones: ['#6fd6e8', '#1f86b8', '#125a82'],
    backdrop: { dark: '#5a1a66', light: '#9c3fa8' },
  },
} as const satisfies Record<string, Theme>;

export type ThemeName = keyof typeof themes;

/** Unknown themes fall back to the first. */
export const themeOf = (name: string): ThemeName =>
  Object.hasOwn(themes, name) ? (name as ThemeName) : 'dragon';
