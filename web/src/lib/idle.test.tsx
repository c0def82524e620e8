import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { enqueueIdle, useIncrementalRender } from './idle.ts';

function Steps({ atOnce = false }) {
  return <p>{`step ${useIncrementalRender(2, atOnce)}`}</p>;
}

let idle: (() => void)[] = [];

beforeEach(() => {
  idle = [];
  vi.stubGlobal('requestIdleCallback', (then: () => void) => idle.push(then));
  vi.stubGlobal('cancelIdleCallback', (handle: number) => (idle[handle - 1] = () => {}));
});

afterEach(() => void vi.unstubAllGlobals());

const idleMoment = () => act(async () => idle.at(-1)?.());

test('renders one more step in each idle moment', async () => {
  render(<Steps />);
  expect(screen.getByText('step 0')).toBeVisible();
  await idleMoment();
  expect(screen.getByText('step 1')).toBeVisible();
  await idleMoment();
  expect(screen.getByText('step 2')).toBeVisible();
  expect(idle).toHaveLength(2);
});

test('renders all steps at once if asked', () => {
  render(<Steps atOnce />);
  expect(screen.getByText('step 2')).toBeVisible();
  expect(idle).toHaveLength(0);
});

test('renders all steps without requestIdleCallback', async () => {
  vi.stubGlobal('requestIdleCallback', undefined);
  render(<Steps />);
  expect(await screen.findByText('step 2')).toBeVisible();
});

test('runs one task in each idle moment, except cancelled ones', async () => {
  const done: string[] = [];
  const [first, , third] = ['a', 'b', 'c', 'd'].map((name) => enqueueIdle(() => done.push(name)));
  first!();
  third!();
  expect(idle).toHaveLength(1);
  await idleMoment();
  expect(done).toEqual([]);
  await idleMoment();
  expect(done).toEqual(['b']);
  await idleMoment();
  expect(done).toEqual(['b', 'd']);
  expect(idle).toHaveLength(3);
  enqueueIdle(() => done.push('e'));
  await idleMoment();
  expect(done).toEqual(['b', 'd', 'e']);
});

test('runs no task while the page scrolls', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const done: string[] = [];
  dispatchEvent(new Event('scroll'));
  enqueueIdle(() => done.push('a'));
  await idleMoment();
  vi.advanceTimersByTime(150);
  dispatchEvent(new Event('scroll'));
  vi.advanceTimersByTime(50);
  await idleMoment();
  expect(done).toEqual([]);
  vi.advanceTimersByTime(200);
  await idleMoment();
  expect(done).toEqual(['a']);
  vi.useRealTimers();
});
