import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { advanceTime } from '../lib/testing/time.ts';
import { InfiniteGrid, type InfiniteGridProps } from './InfiniteGrid.tsx';

let observed: { margin: string | undefined; report: (near: boolean) => void } | undefined;

class ObserverStub implements IntersectionObserver {
  root = null;
  rootMargin = '';
  scrollMargin = '';
  thresholds = [];
  observe = () => {};
  unobserve = () => {};
  disconnect = () => {
    observed = undefined;
  };
  takeRecords = () => [];
  constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
    observed = {
      margin: options?.rootMargin,
      report: (near) =>
        act(() => callback([{ isIntersecting: near } as IntersectionObserverEntry], this)),
    };
  }
}

beforeEach(() => void vi.stubGlobal('IntersectionObserver', ObserverStub));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function grid(props: Partial<InfiniteGridProps<string>> = {}) {
  return (
    <InfiniteGrid
      label="Games"
      items={['a', 'b']}
      keyOf={(item) => item}
      renderItem={(item) => <b>{item}</b>}
      loading={false}
      failed={false}
      hasMore
      onLoadMore={() => {}}
      empty={<p>No games</p>}
      endText="That is all"
      {...props}
    />
  );
}

test('LB-06 part: loads more within 600 px of the bottom, at most once a second', () => {
  vi.useFakeTimers();
  const onLoadMore = vi.fn();
  const { rerender } = renderUi(grid({ onLoadMore }));
  expect(observed?.margin).toBe('0px 0px 600px');
  observed?.report(false);
  advanceTime(5000);
  expect(onLoadMore).not.toHaveBeenCalled();
  observed?.report(true);
  advanceTime(0);
  expect(onLoadMore).toHaveBeenCalledTimes(1);
  // The page loads at once and the end is still near, so the next load waits for the rest of the second.
  rerender(grid({ onLoadMore, loading: true }));
  rerender(grid({ onLoadMore, items: ['a', 'b', 'c'] }));
  observed?.report(true);
  advanceTime(999);
  expect(onLoadMore).toHaveBeenCalledTimes(1);
  advanceTime(1);
  expect(onLoadMore).toHaveBeenCalledTimes(2);
});

test('loads nothing while loading, after a failure, or at the end', () => {
  vi.useFakeTimers();
  const onLoadMore = vi.fn();
  const { rerender } = renderUi(grid({ onLoadMore, loading: true }));
  const near = () => {
    observed?.report(true);
    advanceTime(3000);
  };
  near();
  rerender(grid({ onLoadMore, failed: true }));
  near();
  rerender(grid({ onLoadMore, hasMore: false }));
  near();
  expect(onLoadMore).not.toHaveBeenCalled();
});

test('observes the end again after each page', () => {
  vi.useFakeTimers();
  const onLoadMore = vi.fn();
  const { rerender } = renderUi(grid({ onLoadMore }));
  observed?.report(true);
  advanceTime(0);
  rerender(grid({ onLoadMore, loading: true }));
  rerender(grid({ onLoadMore, items: ['a', 'b', 'c'] }));
  observed?.report(false);
  advanceTime(3000);
  expect(onLoadMore).toHaveBeenCalledTimes(1);
});

test('shows skeletons while loading and announces it', () => {
  const { container } = renderUi(grid({ items: [], loading: true }));
  expect(container.querySelectorAll('.blank')).toHaveLength(9);
  expect(screen.getByRole('status').textContent).toBe('Loading');
  expect(screen.getByRole('region', { name: 'Games' }).getAttribute('aria-busy')).toBe('true');
});

test('a failure keeps the items and loads again on a tap', async () => {
  const onLoadMore = vi.fn();
  renderUi(grid({ onLoadMore, failed: true, failedDetail: '2 of 9' }));
  expect(screen.getByText('a')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: /Load failed, tap to retry/ }));
  expect(onLoadMore).toHaveBeenCalledTimes(1);
});

test('distinguishes an empty list from the end of a list', () => {
  const { rerender } = renderUi(grid({ items: [], hasMore: false }));
  expect(screen.getByText('No games')).toBeVisible();
  expect(screen.queryByText('That is all')).toBeNull();
  rerender(grid({ hasMore: false }));
  expect(screen.queryByText('No games')).toBeNull();
  expect(screen.getByText('That is all')).toBeVisible();
});

test('renders blocks of two rows in a single accessible list', () => {
  const items = Array.from({ length: 20 }, (_, at) => String(at));
  const { container } = renderUi(grid({ items }));
  const blocks = [...container.querySelectorAll<HTMLElement>('.block')];
  expect(blocks.map((block) => block.children.length)).toEqual([6, 6, 6, 2]);
  expect(blocks.map((block) => block.style.getPropertyValue('--rows'))).toEqual([
    '2',
    '2',
    '2',
    '1',
  ]);
  expect(within(screen.getByRole('list')).getAllByRole('listitem')).toHaveLength(20);
});

test('marks items as near once they are within two blocks of the viewport, and keeps the mark', () => {
  vi.stubGlobal('ContentVisibilityAutoStateChangeEvent', Event);
  const items = Array.from({ length: 48 }, (_, at) => String(at));
  const { container } = renderUi(
    grid({ items, renderItem: (item, _, near) => <b data-near={near}>{item}</b> }),
  );
  const near = () => container.querySelectorAll('[data-near=true]').length;
  const change = (block: number, skipped: boolean) =>
    act(() => {
      const event = new Event('contentvisibilityautostatechange');
      container.querySelectorAll('.block')[block]?.dispatchEvent(Object.assign(event, { skipped }));
    });
  expect(near()).toBe(12);
  change(2, true);
  expect(near()).toBe(12);
  change(2, false);
  expect(near()).toBe(30);
  change(2, true);
  expect(near()).toBe(30);
  change(3, false);
  expect(near()).toBe(36);
});

test('renders the next page as a low-priority update and sets aria-busy meanwhile', () => {
  const passes: { items: string[]; busy: string | null | undefined }[] = [];
  const { rerender } = renderUi(grid());
  const list = screen.getByRole('region', { name: 'Games' });
  const recordItem = (item: string) => {
    // The first item of either list starts a render pass.
    const startsPass = item === 'a' || item === 'e';
    if (startsPass) passes.push({ items: [], busy: list.getAttribute('aria-busy') });
    passes.at(-1)?.items.push(item);
    return <b>{item}</b>;
  };
  rerender(grid({ items: ['a', 'b', 'c', 'd'], renderItem: recordItem }));
  expect(passes).toEqual([
    { items: ['a', 'b'], busy: 'false' },
    { items: ['a', 'b', 'c', 'd'], busy: 'true' },
  ]);
  expect(list.getAttribute('aria-busy')).toBe('false');
  // A different list is not deferred.
  passes.length = 0;
  const others = ['e', 'f', 'g', 'h', 'i'];
  rerender(grid({ items: others, renderItem: recordItem }));
  expect(passes[0]).toEqual({ items: others, busy: 'false' });
});
