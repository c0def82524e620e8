import type { Launch } from '../../api/play.ts';
import { currentLanguage } from '../../i18n/runtime.ts';
import { readTheme } from '../../lib/theme.ts';

/** How a game is framed. */
export type Framing = { src: string; origin: string; sandbox: string; own: boolean };

/**
 * The House's games are this origin's own code. Others' run under an origin that is not this one: with scripts and an
 * origin of its own a page of this origin could open its own sandbox, so that one that claims to be from outside and
 * is not is never shown. Neither may lead the whole page elsewhere, open windows or hold the pointer.
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
      own: true,
    };
  }
  if (address.origin !== origin || address.origin === location.origin) return null;
  return {
    src: address.href,
    origin,
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    own: false,
  };
}

/** An address that a browser may be sent to: no script, no file. */
export function readAddress(text: string): URL | null {
  try {
    const address = new URL(text, location.origin);
    return text !== '' && /^https?:$/.test(address.protocol) ? address : null;
  } catch {
    return null;
  }
}
