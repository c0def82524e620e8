// Simulates the game in the iframe, which tests do not load.
import { act } from '@testing-library/react';

export const frame = (): HTMLIFrameElement | null => document.querySelector('iframe');

type MessageSource = { source?: MessageEventSource | null; origin?: string };

/** Sends a message to the app, by default from the game's frame. */
export function gameSays(
  message: Record<string, unknown>,
  { source = frame()?.contentWindow ?? null, origin = location.origin }: MessageSource = {},
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
