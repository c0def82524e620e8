// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ServerEvent } from '../lib/sse.ts';
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
  const onOpen = vi.fn<() => void>();
  const onRefused = vi.fn<() => void>();
  const opened = vi.fn<() => Promise<Response>>(open);
  const close = keepStream({
    open: opened,
    onEvent: (event) => events.push(event),
    onOpen,
    onRefused,
  });
  return { events, onOpen, onRefused, opened, close };
}

test('pauses double up to half a minute, and no two clients wait alike', () => {
  expect([0, 1, 2, 10].map((attempt) => pauseBefore(attempt, () => 1))).toEqual([
    1_000, 2_000, 4_000, 30_000,
  ]);
  expect([0, 1, 2, 10].map((attempt) => pauseBefore(attempt, () => 0))).toEqual([
    500, 1_000, 2_000, 15_000,
  ]);
});

test('hands over events, and asks for what was missed each time the line stands, the first included', async () => {
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
  expect(seen.onOpen).toHaveBeenCalledOnce();
  lines[0]!.hangUp();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.opened).toHaveBeenCalledTimes(2);
  expect(seen.onOpen).toHaveBeenCalledTimes(2);
  seen.close();
});

test.each(['login.not.session', 'user.or.token.invalid'])(
  'an ended session (%s) is told and not tried again',
  async (errorCode) => {
    const seen = watch(async () => Response.json({ success: false, errorCode }, { status: 401 }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen.onRefused).toHaveBeenCalledOnce();
    expect(seen.opened).toHaveBeenCalledOnce();
  },
);

test.each([
  ['a proxy that wants a login of its own', () => new Response('<html>', { status: 401 })],
  ['a firewall', () => new Response('<html>', { status: 403 })],
  [
    'a refusal that is not about the session',
    () => Response.json({ success: false, errorCode: 'user.or.token.invalid' }, { status: 403 }),
  ],
])('%s ends no session: the line is tried again', async (_, answer) => {
  const seen = watch(async () => answer());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.onRefused).not.toHaveBeenCalled();
  expect(seen.opened.mock.calls.length).toBeGreaterThan(3);
  seen.close();
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
    onOpen: () => {},
    onRefused: () => {},
  });
  await vi.advanceTimersByTimeAsync(44_000);
  expect(opened).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(opened).toHaveBeenCalledTimes(2);
  close();
});

test('a line that falls as soon as it stands is opened less and less often', async () => {
  const seen = watch(async () => {
    const short = line();
    short.hangUp();
    return short.response;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.opened.mock.calls.length).toBeLessThan(12);
  seen.close();
});

test('a line that has stood for some seconds is opened anew without delay', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const lines: ReturnType<typeof line>[] = [];
  const seen = watch(async () => {
    lines.push(line());
    return lines.at(-1)!.response;
  });
  const fall = async (pause: number) => {
    lines.at(-1)!.hangUp();
    await vi.advanceTimersByTimeAsync(pause);
  };
  await vi.advanceTimersByTimeAsync(0);
  await fall(1_000);
  await fall(2_000);
  await fall(4_000);
  expect(seen.opened).toHaveBeenCalledTimes(4);
  await vi.advanceTimersByTimeAsync(5_000);
  await fall(1_000);
  expect(seen.opened).toHaveBeenCalledTimes(5);
  seen.close();
});

test('a page whose line was given to a newer one waits until it is looked at again', async () => {
  const lines = [line(), line(), line()];
  let at = -1;
  const seen = watch(async () => {
    at += 1;
    return lines[at]!.response;
  });
  await vi.advanceTimersByTimeAsync(0);
  lines[0]!.send('event: replaced\ndata: {}\n\n');
  await vi.advanceTimersByTimeAsync(300_000);
  dispatchEvent(new Event('online'));
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.opened).toHaveBeenCalledOnce();
  expect(seen.events).toEqual([]);
  state.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.opened).toHaveBeenCalledTimes(2);
  lines[1]!.send('event: replaced\ndata: {}\n\n');
  await vi.advanceTimersByTimeAsync(0);
  dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.opened).toHaveBeenCalledTimes(3);
  seen.close();
});
