import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { pass } from '../lib/testing/time.ts';
import { InfiniteGrid, type InfiniteGridProps } from './InfiniteGrid.tsx';

let observed: { margin: string | undefined; tell: (near: boolean) => void };

class ObserverStub implements IntersectionObserver {
  root = null;
  rootMargin = '';
  scrollMargin = '';
  thresholds = [];
  observe = () => {};
  unobserve = () => {};
  disconnect = () => {};
  takeRecords = () => [];
  constructor(told: IntersectionObserverCallback, options?: IntersectionObserverInit) {
    observed = {
      margin: options?.rootMargin,
      tell: (near) =>
        act(() => told([{ isIntersecting: near } as IntersectionObserverEntry], this)),
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

test('LB-06 in part: loads more within 600 px of the bottom, at most once a second', () => {
  vi.useFakeTimers();
  const onLoadMore = vi.fn();
  const { rerender } = renderUi(grid({ onLoadMore }));
  expect(observed.margin).toBe('0px 0px 600px');
  pass(5000);
  expect(onLoadMore).not.toHaveBeenCalled();
  observed.tell(true);
  pass(0);
  expect(onLoadMore).toHaveBeenCalledTimes(1);
  // The page is there at once and the end still near: the next one waits for the second to be over.
  rerender(grid({ onLoadMore, loading: true }));
  rerender(grid({ onLoadMore, items: ['a', 'b', 'c'] }));
  pass(999);
  expect(onLoadMore).toHaveBeenCalledTimes(1);
  pass(1);
  expect(onLoadMore).toHaveBeenCalledTimes(2);
});

test('asks for nothing while loading, after a failure, or at the end', () => {
  vi.useFakeTimers();
  const onLoadMore = vi.fn();
  const { rerender } = renderUi(grid({ onLoadMore, loading: true }));
  observed.tell(true);
  pass(3000);
  rerender(grid({ onLoadMore, failed: true }));
  pass(3000);
  rerender(grid({ onLoadMore, hasMore: false }));
  pass(3000);
  expect(onLoadMore).not.toHaveBeenCalled();
});

test('shows places while loading, and says so', () => {
  const { container } = renderUi(grid({ items: [], loading: true }));
  expect(container.querySelectorAll('.blank')).toHaveLength(9);
  expect(screen.getByRole('status').textContent).toBe('Loading');
  expect(screen.getByRole('region', { name: 'Games' }).getAttribute('aria-busy')).toBe('true');
});

test('a failure keeps what is there and loads again on a tap', async () => {
  const onLoadMore = vi.fn();
  renderUi(grid({ onLoadMore, failed: true, failedDetail: '2 of 9' }));
  expect(screen.getByText('a')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /Load failed, tap to retry/ }));
  expect(onLoadMore).toHaveBeenCalledTimes(1);
});

test('empty and the end are told apart', () => {
  const { rerender } = renderUi(grid({ items: [], hasMore: false }));
  expect(screen.getByText('No games')).toBeTruthy();
  expect(screen.queryByText('That is all')).toBeNull();
  rerender(grid({ hasMore: false }));
  expect(screen.queryByText('No games')).toBeNull();
  expect(screen.getByText('That is all')).toBeTruthy();
});
