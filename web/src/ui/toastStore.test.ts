import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { toast, useToastStore } from './toastStore.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  toast.hide();
  vi.useRealTimers();
});

const shown = () => useToastStore.getState().current?.text;

function lastsFor(ms: number): boolean {
  vi.advanceTimersByTime(ms - 1);
  const before = useToastStore.getState().current !== null;
  vi.advanceTimersByTime(1);
  return before && useToastStore.getState().current === null;
}

test('KO-01 (duration of each kind) default 3 s short, 8 s long; success 1 s; guest refusal 2 s; loading 10 s, or until dismissed', () => {
  toast.show('short');
  expect(lastsFor(3000)).toBe(true);
  toast.show('long', { long: true });
  expect(lastsFor(8000)).toBe(true);
  toast.error('failed');
  expect(lastsFor(3000)).toBe(true);
  toast.success('saved');
  expect(lastsFor(1000)).toBe(true);
  toast.refuse('not for guests');
  expect(lastsFor(2000)).toBe(true);
  toast.loading({ seconds: 10 });
  expect(lastsFor(10_000)).toBe(true);
  for (const options of [{}, { seconds: 9999 }]) {
    const endless = toast.loading(options);
    vi.advanceTimersByTime(24 * 3600 * 1000);
    expect(useToastStore.getState().current?.kind).toBe('loading');
    toast.hide(endless);
    expect(useToastStore.getState().current).toBeNull();
  }
});

test('a new toast replaces the current one and gets its full time', () => {
  toast.success('first');
  vi.advanceTimersByTime(900);
  toast.show('second');
  expect(shown()).toBe('second');
  vi.advanceTimersByTime(2999);
  expect(shown()).toBe('second');
  vi.advanceTimersByTime(1);
  expect(shown()).toBeUndefined();
});

test('hiding by id keeps a newer toast', () => {
  const loading = toast.loading();
  toast.error('failed');
  toast.hide(loading);
  expect(shown()).toBe('failed');
  vi.advanceTimersByTime(3000);
  expect(useToastStore.getState().current).toBeNull();
});

test('KO-01 a timed toast covers a loading toast without ending it', () => {
  const first = toast.loading({ text: 'first' });
  const second = toast.loading({ text: 'second' });
  toast.error('failed');
  vi.advanceTimersByTime(3000);
  expect(shown()).toBe('second');
  toast.hide(second);
  expect(shown()).toBe('first');
  toast.hide(first);
  expect(useToastStore.getState().current).toBeNull();
});

test('a persistent toast outlives timed ones until it is hidden', () => {
  const news = toast.show('new version', { persistent: true });
  vi.advanceTimersByTime(24 * 3600 * 1000);
  expect(shown()).toBe('new version');
  toast.success('saved');
  expect(shown()).toBe('saved');
  vi.advanceTimersByTime(1000);
  expect(shown()).toBe('new version');
  toast.hide(toast.loading());
  expect(shown()).toBe('new version');
  toast.hide(news);
  expect(shown()).toBeUndefined();
});
