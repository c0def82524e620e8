import type { Launch } from '../../api/play.ts';
import { currentLanguage } from '../../i18n/runtime.ts';
import { readTheme } from '../../lib/theme.ts';

export type Framing = { src: string; origin: string; sandbox: string; isHouseGame: boolean };

/**
 * Returns how to frame a game, or null when its address is not allowed. House games must come from this origin, vendor games from
 * another: a same-origin page with scripts could remove its own sandbox. No game may navigate this page, open windows or lock the
 * pointer.
 */
export function framingOf({ gameUrl, origin }: Pick<Launch, 'gameUrl' | 'origin'>): Framing | null {
  const address = readAddress(gameUrl);
  if (!address) return null;
  if (origin === '') {
    if (address.origin !== location.origin || !address.pathname.startsWith('/m/house/'))
      return null;
    address.hash = new URLSearchParams({ theme: readTheme(), lang: currentLanguage() }).toString();
    return {
      src: address.href,
      origin: address.origin,
      sandbox: 'allow-scripts allow-same-origin',
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

/** Parses an http or https address. Returns null for others, such as scripts and files. */
export function readAddress(text: string): URL | null {
  try {
    const address = new URL(text, location.origin);
    return text !== '' && /^https?:$/.test(address.protocol) ? address : null;
  } catch {
    return null;
  }
}
