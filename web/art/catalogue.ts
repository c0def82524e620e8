/** The demo catalogue, as far as the art needs it. */
import { readFileSync } from 'node:fs';

const DATA = new URL('../../internal/demo/data/', import.meta.url);

export const LANGUAGES = ['vi', 'en', 'ur', 'pt'] as const;

export interface GameArt {
  /** Colour family (palette.ts). */
  family: string;
  /** The scene behind the motif (scene/). */
  scene: string;
  /** An emoji by its code points, or `drawn/<name>` for a drawing of our own (motif/). */
  motif: string;
  /** Emoji that float around the motif. */
  satellites: string[];
  seed: number;
}

export interface Game {
  gameId: string;
  vendor: string;
  category: string;
  names: Record<(typeof LANGUAGES)[number], string>;
  hot: boolean;
  art: GameArt;
}

export interface Vendor {
  code: string;
  displayName: string;
  categories: string[];
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, DATA), 'utf8'));

export const readGames = (): Game[] => read('games.json') as Game[];
export const readVendors = (): Vendor[] => read('vendors.json') as Vendor[];
