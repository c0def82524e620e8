import { expect, test } from 'vitest';

import { RefusedError } from '../kit/api.ts';
import type { Stream } from '../kit/stream.ts';
import { followTable } from './table-stream.ts';

/** Collects the events of a stream that is refused with each code in turn, then opens. */
async function collectEvents(...codes: string[]) {
  const events: unknown[] = [];
  const stream: Stream = (_path, on, signal) => {
    const code = codes.shift();
    if (code !== undefined) return Promise.reject(new RefusedError(code));
    on.open?.();
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  const close = followTable(
    stream,
    {
      open: () => events.push('open'),
      update: () => {},
      lost: (attempt) => events.push(attempt),
      refused: (code) => events.push(code),
    },
    { wait: () => Promise.resolve() },
  );
  await expect.poll(() => events.at(-1)).toBeTypeOf('string');
  close();
  return events;
}

test('a stream retries after a temporary refusal', async () => {
  expect(await collectEvents('rate.limited', 'house.unavailable')).toEqual([1, 2, 'open']);
});

test('a stream does not retry after a final refusal', async () => {
  expect(await collectEvents('rate.limited', 'house.session_expired')).toEqual([
    1,
    'house.session_expired',
  ]);
});

test('a stream replaced by another window does not reconnect', async () => {
  const events: unknown[] = [];
  let opened = 0;
  followTable(
    (_path, on) => {
      opened += 1;
      on.event({ event: 'table', data: '{"now":1}' });
      on.event({ event: 'replaced', data: '{}' });
      return Promise.resolve();
    },
    {
      open: () => {},
      update: (update) => events.push(update),
      lost: (attempt) => events.push(attempt),
      refused: (code) => events.push(code),
    },
    { wait: () => Promise.resolve() },
  );
  await expect.poll(() => events).toEqual([{ now: 1 }, 'house.replaced']);
  expect(opened).toBe(1);
});
