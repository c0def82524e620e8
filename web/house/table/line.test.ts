import { expect, test } from 'vitest';

import { Refusal } from '../kit/api.ts';
import type { Stream } from '../kit/stream.ts';
import { keepLine } from './line.ts';

/** Follows a line that is refused with each code in turn, and then stands. */
async function follow(...codes: string[]) {
  const told: unknown[] = [];
  const stream: Stream = (_path, on, signal) => {
    const code = codes.shift();
    if (code !== undefined) return Promise.reject(new Refusal(code));
    on.open?.();
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  const close = keepLine(
    stream,
    {
      open: () => told.push('open'),
      news: () => {},
      lost: (attempt) => told.push(attempt),
      refused: (code) => told.push(code),
    },
    { wait: () => Promise.resolve() },
  );
  await expect.poll(() => told.at(-1)).toBeTypeOf('string');
  close();
  return told;
}

test('a line that is refused for now is tried again', async () => {
  expect(await follow('rate.limited', 'house.unavailable')).toEqual([1, 2, 'open']);
});

test('a line that is refused for good is not', async () => {
  expect(await follow('rate.limited', 'house.session_expired')).toEqual([
    1,
    'house.session_expired',
  ]);
});

test('a line in whose place the player opened others does not come back', async () => {
  const told: unknown[] = [];
  let opened = 0;
  keepLine(
    (_path, on) => {
      opened += 1;
      on.event({ event: 'table', data: '{"now":1}' });
      on.event({ event: 'replaced', data: '{}' });
      return Promise.resolve();
    },
    {
      open: () => {},
      news: (news) => told.push(news),
      lost: (attempt) => told.push(attempt),
      refused: (code) => told.push(code),
    },
    { wait: () => Promise.resolve() },
  );
  await expect.poll(() => told).toEqual([{ now: 1 }, 'house.replaced']);
  expect(opened).toBe(1);
});
