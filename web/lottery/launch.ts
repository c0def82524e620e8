import type { PlayType } from './wire.ts';

export type Theme = 'dark' | 'light';

/** The launch parameters of the page. */
export type Launch = {
  gameId: string;
  playType: PlayType;
  theme: Theme;
  /** The launch ticket, which opens one session. */
  token: string;
  merchant: string;
  /** The prize mode in the URL, or empty. */
  prizeMode: string;
  /** The requested language, which may be unknown. */
  language: string;
  /** The page that opens on leaving if this page is not framed (GL-05). */
  wayBack: '/m/home' | '/m/game';
};

/** The game id of a lobby, which has all games of a vendor. */
export const lobby = 'lobby';

const launchPath = /^\/m\/lotto-h5\/[\w-]+\/(?<playType>ent|trad)\/games\/(?<gameId>[\w-]+)$/;

/**
 * Parses the URL of the page (GL-04), or returns null for another URL. The theme is in `css`. As for the House's games, the hash
 * contains the theme and the language of the app, because this page must not read the app's storage.
 */
export function readLaunch({ pathname, search, hash }: URL): Launch | null {
  const found = launchPath.exec(pathname)?.groups;
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
