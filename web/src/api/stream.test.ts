// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ServerEvent } from '../lib/sse.ts';
import { openStream, retryDelay } from './stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A connection controlled by the test. */
function connection() {
  let send!: (text: string) => void;
  let disconnect!: () => void;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
      disconnect = () => controller.close();
    },
  });
  return { response: new Response(body), send, disconnect };
}

function start(open: () => Promise<Response>) {
  const events: ServerEvent[] = [];
  const onOpen = vi.fn<() => void>();
  const onRefused = vi.fn<() => void>();
  const opened = vi.fn<() => Promise<Response>>(open);
  const close = openStream({
    open: opened,
    onEvent: (event) => events.push(event),
    onOpen,
    onRefused,
  });
  return { events, onOpen, onRefused, opened, close };
}

test('delays double up to 30 seconds, with jitter', () => {
  expect([0, 1, 2, 10].map((attempt) => retryDelay(attempt, () => 1))).toEqual([
    1_000, 2_000, 4_000, 30_000,
  ]);
  expect([0, 1, 2, 10].map((attempt) => retryDelay(attempt, () => 0))).toEqual([
    500, 1_000, 2_000, 15_000,
  ]);
});

test('passes on events and calls onOpen after each connect, including the first', async () => {
  const connections = [connection(), connection()];
  let at = -1;
  const stream = start(async () => {
    at += 1;
    return connections[at]!.response;
  });
  await vi.advanceTimersByTimeAsync(0);
  connections[0]!.send('event: balance\ndata: 1\n\n');
  await vi.advanceTimersByTimeAsync(0);
  expect(stream.events).toEqual([{ event: 'balance', data: '1' }]);
  expect(stream.onOpen).toHaveBeenCalledOnce();
  connections[0]!.disconnect();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stream.opened).toHaveBeenCalledTimes(2);
  expect(stream.onOpen).toHaveBeenCalledTimes(2);
  stream.close();
});

test.each(['login.not.session', 'user.or.token.invalid'])(
  'an ended session (%s) calls onRefused and does not retry',
  async (errorCode) => {
    const stream = start(async () => Response.json({ success: false, errorCode }, { status: 401 }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stream.onRefused).toHaveBeenCalledOnce();
    expect(stream.opened).toHaveBeenCalledOnce();
  },
);

test.each([
  ['a 401 of a proxy', () => new Response('<html>', { status: 401 })],
  ['a 403 of a firewall', () => new Response('<html>', { status: 403 })],
  [
    'an error that is not about the session',
    () => Response.json({ success: false, errorCode: 'user.or.token.invalid' }, { status: 403 }),
  ],
])('%s does not end the session: the stream retries', async (_, answer) => {
  const stream = start(async () => answer());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stream.onRefused).not.toHaveBeenCalled();
  expect(stream.opened.mock.calls.length).toBeGreaterThan(3);
  stream.close();
});

test('retries failures with growing delays, and at once when the network returns', async () => {
  const stream = start(() => Promise.reject(new TypeError('Failed to fetch')));
  await vi.advanceTimersByTimeAsync(60_000);
  const attempts = stream.opened.mock.calls.length;
  expect(attempts).toBeGreaterThan(3);
  expect(attempts).toBeLessThan(12);
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(stream.opened).toHaveBeenCalledTimes(attempts + 1);
  stream.close();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(stream.opened).toHaveBeenCalledTimes(attempts + 1);
});

test.each([
  ['a minute', 60_000, 12],
  ['a day', 86_400_000, 6_000],
])('a stream that is cut for %s connects again by itself', async (_, cutMs, maxAttempts) => {
  let isCut = true;
  const { response } = connection();
  const stream = start(() =>
    isCut ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(response),
  );
  await vi.advanceTimersByTimeAsync(cutMs);
  expect(stream.onOpen).not.toHaveBeenCalled();
  expect(stream.opened.mock.calls.length).toBeLessThan(maxAttempts);
  isCut = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(stream.onOpen).toHaveBeenCalledOnce();
  stream.close();
});

test('a silent connection is closed and opened again', async () => {
  const opened = vi.fn<(signal: AbortSignal) => void>();
  const close = openStream({
    open: (signal) => {
      opened(signal);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      });
    },
    onEvent: () => {},
    onOpen: () => {},
    onRefused: () => {},
  });
  await vi.advanceTimersByTimeAsync(44_000);
  expect(opened).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(opened).toHaveBeenCalledTimes(2);
  close();
});

test('connections that fail at once are retried with growing delays', async () => {
  const stream = start(async () => {
    const short = connection();
    short.disconnect();
    return short.response;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stream.opened.mock.calls.length).toBeLessThan(12);
  stream.close();
});

test('a connection that lasted some seconds resets the retry delay', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const connections: ReturnType<typeof connection>[] = [];
  const stream = start(async () => {
    connections.push(connection());
    return connections.at(-1)!.response;
  });
  const loseConnection = async (wait: number) => {
    connections.at(-1)!.disconnect();
    await vi.advanceTimersByTimeAsync(wait);
  };
  await vi.advanceTimersByTimeAsync(0);
  await loseConnection(1_000);
  await loseConnection(2_000);
  await loseConnection(4_000);
  expect(stream.opened).toHaveBeenCalledTimes(4);
  await vi.advanceTimersByTimeAsync(5_000);
  await loseConnection(1_000);
  expect(stream.opened).toHaveBeenCalledTimes(5);
  stream.close();
});

test('a page whose stream a newer page replaced reconnects when it is visible again', async () => {
  const connections = [connection(), connection(), connection()];
  let at = -1;
  const stream = start(async () => {
    at += 1;
    return connections[at]!.response;
  });
  await vi.advanceTimersByTimeAsync(0);
  connections[0]!.send('event: replaced\ndata: {}\n\n');
  await vi.advanceTimersByTimeAsync(300_000);
  dispatchEvent(new Event('online'));
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stream.opened).toHaveBeenCalledOnce();
  expect(stream.events).toEqual([]);
  state.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(stream.opened).toHaveBeenCalledTimes(2);
  connections[1]!.send('event: replaced\ndata: {}\n\n');
  await vi.advanceTimersByTimeAsync(0);
  dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(0);
  expect(stream.opened).toHaveBeenCalledTimes(3);
  stream.close();
});
