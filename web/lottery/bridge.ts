// Messages to and from the app that frames this page.
import { listen, parseAppMessage, send, type Peer } from '../src/lib/game-messages.ts';
import type { Launch, Theme } from './launch.ts';

/** Null when the page is not framed. */
const framingWindow = (): Window | null => (window.parent === window ? null : window.parent);

const app: Peer = { window: framingWindow, origin: location.origin };

/** Leaves the page: the app closes the frame, or the page opens the app itself (GL-05). */
export function leave({ wayBack }: Pick<Launch, 'wayBack'>): void {
  if (framingWindow()) send(app, { type: 'close' });
  else location.assign(wayBack);
}

/** Follows the app's theme and language. Returns a function that stops. */
export function followSettings(
  apply: (settings: { theme: Theme; language: string }) => void,
): () => void {
  return listen(app, parseAppMessage, (message) => {
    if (message.type === 'settings') apply(message);
  });
}
