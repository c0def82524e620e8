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
  const address = readAddress(gameUrl);
  if (!address) return null;
  if (origin === '') {
    if (address.origin === location.origin && lotteryPath.test(address.pathname))
      return lotterySource(address, query);
    if (address.origin !== location.origin || !address.pathname.startsWith('/m/house/'))
      return null;
    address.hash = new URLSearchParams({ theme: readTheme(), lang: currentLanguage() }).toString();
    return {
      src: address.href,
      origin: address.origin,
      sandbox: ownSandbox,
      isHouseGame: true,
    };
  }
  if (address.origin !== origin || address.origin === location.origin) return null;
  return {
    src: address.href,
    origin,
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    isHouseGame: false,
  };
}

const lotteryPath = /^\/m\/lotto-h5\/[\w-]+\/(?:ent|trad)\/games\/[\w-]+$/;

/** Returns the source of the lottery's page. The query may choose the client, the play type and the prize mode (RT-26, GL-04). */
function lotterySource(address: URL, query: URLSearchParams): FrameSource {
  const [client, playType, ...game] = address.pathname.slice('/m/lotto-h5/'.length).split('/');
  const chosen = (name: string, pattern: RegExp, otherwise: string | undefined) => {
    const text = query.get(name) ?? '';
    return pattern.test(text) ? text : otherwise;
  };
  const parts = [
    chosen('mui', /^[\w-]{1,20}$/, client),
    chosen('playType', /^(?:ent|trad)$/, playType),
    ...game,
  ];
  address.pathname = `/m/lotto-h5/${parts.join('/')}`;
  address.searchParams.set('css', readTheme());
  const prizeMode = chosen('prize_mode', /^\w{1,16}$/, undefined);
  if (prizeMode !== undefined) address.searchParams.set('prize_mode', prizeMode);
  const isFromHome = query.has('pageBack');
  if (isFromHome) address.searchParams.set('pageBack', query.get('pageBack') ?? '');
  address.hash = new URLSearchParams({ theme: readTheme(), lang: currentLanguage() }).toString();
  return {
    src: address.href,
    origin: address.origin,
    sandbox: ownSandbox,
    isHouseGame: true,
    wayBack: isFromHome ? '/m/home' : '/m/game',
  };
}

/** Parses an http or https URL. Returns null for other schemes, such as javascript: and file:. */
export function readAddress(text: string): URL | null {
  try {
    const address = new URL(text, location.origin);
    return text !== '' && /^https?:$/.test(address.protocol) ? address : null;
  } catch {
    return null;
  }
}
