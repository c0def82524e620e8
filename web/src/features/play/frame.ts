import type { Launch } from '../../api/play.ts';
import { currentLanguage } from '../../i18n/runtime.ts';
import { readTheme } from '../../lib/theme.ts';

export type FrameSource = {
  src: string;
  origin: string;
  sandbox: string;
  isHouseGame: boolean;
  /** The path that the lottery's close button opens (GL-05). Other games go one step back. */
  wayBack?: string;
};

const ownSandbox = 'allow-scripts allow-same-origin';

/**
 * Returns the iframe's source and sandbox, or null when the game's URL is not allowed. House games must come from this origin, vendor
 * games from another: a same-origin page with scripts could remove its own sandbox. No game may navigate this page, open windows or lock
 * the pointer.
 */
export function frameSource(
  { gameUrl, origin }: Pick<Launch, 'gameUrl' | 'origin'>,
  query: URLSearchParams = new URLSearchParams(),
): FrameSource | null {
  const url = parseHttpUrl(gameUrl);
  if (!url) return null;
  if (origin === '') {
    if (url.origin === location.origin && lotteryPath.test(url.pathname))
      return lotterySource(url, query);
    if (url.origin !== location.origin || !url.pathname.startsWith('/m/house/')) return null;
    url.hash = new URLSearchParams({ theme: readTheme(), lang: currentLanguage() }).toString();
    return {
      src: url.href,
      origin: url.origin,
      sandbox: ownSandbox,
      isHouseGame: true,
    };
  }
  if (url.origin !== origin || url.origin === location.origin) return null;
  return {
    src: url.href,
    origin,
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    isHouseGame: false,
  };
}

const lotteryPath = /^\/m\/lotto-h5\/[\w-]+\/(?:ent|trad)\/games\/[\w-]+$/;

/** Returns the source of the lottery's page. The query may choose the client, the play type and the prize mode (RT-26, GL-04). */
function lotterySource(url: URL, query: URLSearchParams): FrameSource {
  const [client, playType, ...game] = url.pathname.slice('/m/lotto-h5/'.length).split('/');
  const chosen = (name: string, pattern: RegExp, otherwise: string | undefined) => {
    const text = query.get(name) ?? '';
    return pattern.test(text) ? text : otherwise;
  };
  const parts = [
    chosen('mui', /^[\w-]{1,20}$/, client),
    chosen('playType', /^(?:ent|trad)$/, playType),
    ...game,
  ];
  url.pathname = `/m/lotto-h5/${parts.join('/')}`;
  url.searchParams.set('css', readTheme());
  const prizeMode = chosen('prize_mode', /^\w{1,16}$/, undefined);
  if (prizeMode !== undefined) url.searchParams.set('prize_mode', prizeMode);
  const isFromHome = query.has('pageBack');
  if (isFromHome) url.searchParams.set('pageBack', query.get('pageBack') ?? '');
  url.hash = new URLSearchParams({ theme: readTheme(), lang: currentLanguage() }).toString();
  return {
    src: url.href,
    origin: url.origin,
    sandbox: ownSandbox,
    isHouseGame: true,
    wayBack: isFromHome ? '/m/home' : '/m/game',
  };
}

/** Parses an http or https URL. Returns null for other schemes, such as javascript: and file:. */
export function parseHttpUrl(text: string): URL | null {
  try {
    const url = new URL(text, location.origin);
    return text !== '' && /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}
