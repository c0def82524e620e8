// Messages to and from the app that frames this page.
import { create } from 'zustand';

import {
  listen,
  parseAppMessage,
  send,
  type GameMessage,
  type Peer,
} from '../src/lib/game-messages.ts';
import type { Launch, Theme } from './launch.ts';

/** Returns the app's window, or null if the page is not framed. */
const framingWindow = (): Window | null => (window.parent === window ? null : window.parent);

const app: Peer = { window: framingWindow, origin: location.origin };

export const sendToApp = (message: GameMessage): void => send(app, message);

/** Leaves the page: the app closes the frame, or the page opens the app itself (GL-05). */
export function leave({ wayBack }: Pick<Launch, 'wayBack'>): void {
  if (framingWindow()) sendToApp({ type: 'close' });
  else location.assign(wayBack);
}

/** While paused, no bet may be sent. */
export const usePaused = create<{ paused: boolean }>(() => ({ paused: false }));

/** Listens to the app: its theme and language, pauses, and back button. Returns a function that stops listening. */
export function followApp(
  apply: (settings: { theme: Theme; language: string }) => void,
): () => void {
  return listen(app, parseAppMessage, (message) => {
    if (message.type === 'settings') apply(message);
    else if (message.type === 'pause') usePaused.setState({ paused: message.paused });
    else if (message.type === 'dismiss') closeTopPanel();
  });
}

/** Functions that close the open panels, newest last. */
const panels: (() => void)[] = [];

/** Registers an open panel, so that the back button closes it. Returns a function to call when it closes. */
export function addPanel(close: () => void): () => void {
  panels.push(close);
  sendToApp({ type: 'sheet', open: true });
  return () => {
    panels.splice(panels.indexOf(close), 1);
    sendToApp({ type: 'sheet', open: panels.length > 0 });
  };
}

const closeTopPanel = (): void => panels.at(-1)?.();
