// The line to the app around the frame. It says and believes only what both have agreed on, and only to and from the
// window that framed this page, on its own origin.
import {
  type AppMessage,
  type GameMessage,
  type LimitTold,
  listen,
  parseAppMessage,
  type Peer,
  send,
} from '../../src/lib/game-messages.ts';
import { setPool } from './jackpot.ts';

export type Settings = Omit<Extract<AppMessage, { type: 'settings' }>, 'type'>;

/** Nobody is around it where the page stands alone. */
const app: Peer = {
  window: () => (window.parent === window ? null : window.parent),
  origin: location.origin,
};

export const tell = (message: GameMessage): void => send(app, message);

export function hear(on: {
  settings: (settings: Settings) => void;
  pause: (paused: boolean) => void;
  room: (limit: LimitTold | null) => void;
  balance: (balance: number) => void;
}): () => void {
  return listen(app, parseAppMessage, (message) => {
    if (message.type === 'pause') on.pause(message.paused);
    else if (message.type === 'jackpot') setPool(message.pool);
    else if (message.type === 'room') on.room(message.limit);
    else if (message.type === 'balance') on.balance(message.balance);
    else if (message.type === 'dismiss') document.querySelector('dialog')?.close();
    else {
      const { type: _, ...settings } = message;
      on.settings(settings);
    }
  });
}
