// Plays the frame for scripts of others, which no test of the app loads.
import { act } from '@testing-library/react';
import { vi } from 'vitest';

const frame = () => document.querySelector('iframe');

type Saying = { source?: MessageEventSource | null; origin?: string };

/** Lets the frame that is shown, or who is named, say something to the app. */
export function say(data: unknown, { source, origin }: Saying = {}): void {
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

/** Waits for the frame, which then gives what a person gives. */
export async function passWidget(proof: string): Promise<void> {
  await vi.waitUntil(frame, { timeout: 60_000 });
  say({ news: 'passed', proof });
}
