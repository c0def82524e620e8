// Plays the game in the frame, which no test of the app loads.
import { act } from '@testing-library/react';

export const frame = (): HTMLIFrameElement | null => document.querySelector('iframe');

type Saying = { source?: MessageEventSource | null; origin?: string };

/** Lets the game that is framed, or who is named, say something to the app. */
export function gameSays(
  message: Record<string, unknown>,
  { source = frame()?.contentWindow ?? null, origin = location.origin }: Saying = {},
): void {
  const data = { fairground: 1, ...message };
  act(() => void dispatchEvent(new MessageEvent('message', { data, source, origin })));
}

export const readyGame = {
  type: 'ready',
  title: 'Golden Dragon',
  engine: 'slot',
  rtp: '96.20',
  provable: true,
  backdrop: null,
};
