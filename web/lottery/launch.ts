import type { PlayType } from './wire.ts';

export type Theme = 'dark' | 'light';

/** How the app launched the page. */
export type Launch = {
  gameId: string;
  playType: PlayType;
  theme: Theme;
  /** Opens one session. */
  token: string;
  merchant: string;
  /** The price list that the address names, or empty. */
  prizeMode: string;
  /** As requested; it may be a language that the page lacks. */
  language: string;
  /** Where the way back leads when the page is not in a frame (GL-05). */
  wayBack: '/m/home' | '/m/game';
};

/** The game id of a lobby, which has all games of a vendor. */
export const lobby = 'lobby';

const address = /^\/m\/lotto-h5\/[\w-]+\/(?<playType>ent|trad)\/games\/(?<gameId>[\w-]+)$/;

/**
 * Reads the address of the page (GL-04), or returns null for another address. The theme is in `css`. As for the House's games, the hash
 * holds the theme and the language of the app, whose storage this page must not read.
 */
export function readLaunch({ pathname, search, hash }: URL): Launch | null {
  const found = address.exec(pathname)?.groups;
  if (!found) return null;
  const query = new URLSearchParams(search);
  const settings = new URLSearchParams(hash.slice(1));
  const theme = settings.get('theme') ?? query.get('css');
  return {
    gameId: found.gameId ?? '',
    playType: found.playType as PlayType,
    theme: theme === 'light' ? 'light' : 'dark',
    token: query.get('token') ?? '',
    merchant: query.get('merchant') ?? '',
    prizeMode: query.get('prize_mode') ?? '',
    language: settings.get('lang') ?? '',
    wayBack: query.has('pageBack') ? '/m/home' : '/m/game',
  };
}
