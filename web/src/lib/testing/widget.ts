// Simulates the frame of third-party widgets, which tests do not load.
import { act } from '@testing-library/react';
import { vi } from 'vitest';

const frame = () => document.querySelector('iframe');

type MessageSource = { source?: MessageEventSource | null; origin?: string };

/** Sends a message to the app, by default from the widget's frame. */
export function say(data: unknown, { source, origin }: MessageSource = {}): void {
  const from = frame()?.getAttribute('sandbox')?.includes('allow-same-origin')
    ? location.origin
    : 'null';
  const message = new MessageEvent('message', {
    data,
    source: source === undefined ? (frame()?.contentWindow ?? null) : source,
    origin: origin ?? from,
  });
  act(() => void dispatchEvent(message));
}

export async function passWidget(proof: string): Promise<void> {
  await vi.waitUntil(frame, { timeout: 60_000 });
  say({ news: 'passed', proof });
}
