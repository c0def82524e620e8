import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ServerEvent } from './sse.ts';
import { keepStream, pauseBefore } from './stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A line of which the test holds the other end. */
function line() {
  let send!: (text: string) => void;
  let hangUp!: () => void;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
      hangUp = () => controller.close();
    },
  });
  return { response: new Response(body), send, hangUp };
}

function watch(open: () => Promise<Response>) {
  const events: ServerEvent[] = [];
  const onReconnect = vi.fn<() => void>();
  const onRefused = vi.fn<(response: Response) => void>();
  const opened = vi.fn<() => Promise<Response>>(open);
  const close = keepStream({
    open: opened,
    onEvent: (event) => events.push(event),
    onReconnect,
    onRefused,
  });
  return { events, onReconnect, onRefused, opened, close };
}

test('pauses double up to half a minute, and no two clients wait alike', () => {
  expect([0, 1, 2, 10].map((attempt) => pauseBefore(attempt, () => 1))).toEqual([
    1_000, 2_000, 4_000, 30_000,
  ]);
  expect([0, 1, 2, 10].map((attempt) => pauseBefore(attempt, () => 0))).toEqual([
    500, 1_000, 2_000, 15_000,
  ]);
});

test('hands over events, and asks anew for what was missed once the line is back', async () => {
  const lines = [line(), line()];
  let at = -1;
  const seen = watch(async () => {
    at += 1;
    return lines[at]!.response;
  });
  await vi.advanceTimersByTimeAsync(0);
  lines[0]!.send('event: balance\ndata: 1\n\n');
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.events).toEqual([{ event: 'balance', data: '1' }]);
  expect(seen.onReconnect).not.toHaveBeenCalled();
  lines[0]!.hangUp();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.opened).toHaveBeenCalledTimes(2);
  expect(seen.onReconnect).toHaveBeenCalledOnce();
  seen.close();
});

test('a refusal is told and not tried again', async () => {
  const seen = watch(async () => new Response(null, { status: 401 }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.onRefused).toHaveBeenCalledOnce();
  expect(seen.opened).toHaveBeenCalledOnce();
});

test('failures are tried again, less and less often, and at once when the network returns', async () => {
  const seen = watch(() => Promise.reject(new TypeError('Failed to fetch')));
  await vi.advanceTimersByTimeAsync(60_000);
  const tries = seen.opened.mock.calls.length;
  expect(tries).toBeGreaterThan(3);
  expect(tries).toBeLessThan(12);
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.opened).toHaveBeenCalledTimes(tries + 1);
  seen.close();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(seen.opened).toHaveBeenCalledTimes(tries + 1);
});

test('a line that has fallen silent is hung up and opened anew', async () => {
  const opened = vi.fn<(signal: AbortSignal) => void>();
  const close = keepStream({
    open: (signal) => {
      opened(signal);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      });
    },
    onEvent: () => {},
    onReconnect: () => {},
    onRefused: () => {},
  });
  await vi.advanceTimersByTimeAsync(44_000);
  expect(opened).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(opened).toHaveBeenCalledTimes(2);
  close();
});
