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

const moment = () => act(async () => idle.at(-1)?.());

test('takes one step in each idle moment, up to the last', async () => {
  render(<Steps />);
  expect(screen.getByText('step 0')).toBeDefined();
  await moment();
  expect(screen.getByText('step 1')).toBeDefined();
  await moment();
  expect(screen.getByText('step 2')).toBeDefined();
  expect(idle).toHaveLength(2);
});

test('starts at its end where nothing is to be waited for', () => {
  render(<Steps atOnce />);
  expect(screen.getByText('step 2')).toBeDefined();
  expect(idle).toHaveLength(0);
});

test('steps on where the browser tells no idle moments', async () => {
  vi.stubGlobal('requestIdleCallback', undefined);
  render(<Steps />);
  expect(await screen.findByText('step 2')).toBeDefined();
});

test('of many that wait for an idle moment each has its own, but for those that wait no more', async () => {
  const done: string[] = [];
  const [first, , third] = ['a', 'b', 'c', 'd'].map((name) => enqueueIdle(() => done.push(name)));
  first!();
  third!();
  expect(idle).toHaveLength(1);
  await moment();
  expect(done).toEqual([]);
  await moment();
  expect(done).toEqual(['b']);
  await moment();
  expect(done).toEqual(['b', 'd']);
  expect(idle).toHaveLength(3);
  enqueueIdle(() => done.push('e'));
  await moment();
  expect(done).toEqual(['b', 'd', 'e']);
});

test('while the page is scrolled nothing has its turn', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const done: string[] = [];
  dispatchEvent(new Event('scroll'));
  enqueueIdle(() => done.push('a'));
  await moment();
  vi.advanceTimersByTime(150);
  dispatchEvent(new Event('scroll'));
  vi.advanceTimersByTime(50);
  await moment();
  expect(done).toEqual([]);
  vi.advanceTimersByTime(200);
  await moment();
  expect(done).toEqual(['a']);
  vi.useRealTimers();
});
