// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { debounce, throttle } from './timing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('throttle runs at once, holds further calls back, and keeps the last of them', () => {
  const run = vi.fn();
  const call = throttle(run, 150);
  call(1);
  call(2);
  call(3);
  expect(run.mock.calls).toEqual([[1]]);
  vi.advanceTimersByTime(149);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(run.mock.calls).toEqual([[1], [3]]);
  // The late run opens an interval of its own.
  call(4);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(150);
  expect(run.mock.calls).toEqual([[1], [3], [4]]);
});

test('a cancelled throttle drops what waits and starts afresh', () => {
  const run = vi.fn();
  const call = throttle(run, 150);
  call(1);
  call(2);
  call.cancel();
  vi.advanceTimersByTime(300);
  expect(run.mock.calls).toEqual([[1]]);
  call(3);
  expect(run).toHaveBeenLastCalledWith(3);
});

test('debounce waits for quiet', () => {
  const run = vi.fn();
  const call = debounce(run, 200);
  call('a');
  vi.advanceTimersByTime(199);
  call('b');
  vi.advanceTimersByTime(199);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run.mock.calls).toEqual([['b']]);
  call('c');
  call.cancel();
  vi.advanceTimersByTime(500);
  expect(run).toHaveBeenCalledTimes(1);
});
