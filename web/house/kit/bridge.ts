// Messages to and from the app that frames this page.
import {
  type AppMessage,
  type GameMessage,
  type LimitState,
  listen,
  parseAppMessage,
  type Peer,
  send,
} from '../../src/lib/game-messages.ts';
import { setPool } from './jackpot.ts';

export type Settings = Omit<Extract<AppMessage, { type: 'settings' }>, 'type'>;

/** Null when the page is not framed. */
const app: Peer = {
  window: () => (window.parent === window ? null : window.parent),
  origin: location.origin,
};

export const sendToApp = (message: GameMessage): void => send(app, message);

export function listenToApp(on: {
  settings: (settings: Settings) => void;
  pause: (paused: boolean) => void;
  limit: (limit: LimitState | null) => void;
  balance: (balance: number) => void;
  check: (roundId: string) => void;
}): () => void {
  return listen(app, parseAppMessage, (message) => {
    if (message.type === 'pause') on.pause(message.paused);
    else if (message.type === 'jackpot') setPool(message.pool);
    else if (message.type === 'room') on.limit(message.limit);
    else if (message.type === 'balance') on.balance(message.balance);
    else if (message.type === 'check') on.check(message.roundId);
    else if (message.type === 'dismiss') [...document.querySelectorAll('dialog')].at(-1)?.close();
    else {
      const { type: _, ...settings } = message;
      on.settings(settings);
    }
  });
}
