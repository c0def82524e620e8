import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { PullToRefresh } from './PullToRefresh.tsx';

const at = (x: number, y: number) => ({ touches: [{ clientX: x, clientY: y }] });

function pull(from: [number, number], to: [number, number], on: Element = document.body): void {
  fireEvent.touchStart(on, at(...from));
  fireEvent.touchMove(on, at((from[0] + to[0]) / 2, (from[1] + to[1]) / 2));
  fireEvent.touchMove(on, at(...to));
  fireEvent.touchEnd(on, { touches: [] });
}

function show() {
  let finish!: () => void;
  const onRefresh = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  renderUi(<PullToRefresh label="Loading" onRefresh={onRefresh} />);
  return { onRefresh, finish: () => act(async () => finish()) };
}

test('a pull from the top refreshes once and announces it until it is done', async () => {
  const { onRefresh, finish } = show();
  pull([100, 100], [105, 240]);
  expect(onRefresh).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('status').textContent).toBe('Loading');
  pull([100, 100], [105, 240]);
  expect(onRefresh).toHaveBeenCalledTimes(1);
  await finish();
  expect(screen.getByRole('status').textContent).toBe('');
  pull([100, 100], [105, 240]);
  expect(onRefresh).toHaveBeenCalledTimes(2);
});

test('ignores pulls that are short, sideways, upwards or not at the top', () => {
  const { onRefresh } = show();
  pull([100, 100], [100, 180]);
  pull([100, 100], [260, 220]);
  pull([100, 400], [100, 100]);
  Object.assign(window, { scrollY: 300 });
  pull([100, 100], [100, 300]);
  Object.assign(window, { scrollY: 0 });
  expect(onRefresh).not.toHaveBeenCalled();
});

test('ignores pulls inside other scrollers', () => {
  const { onRefresh } = show();
  const rail = document.createElement('nav');
  rail.dataset.ownScroll = '';
  document.body.append(rail);
  pull([100, 100], [100, 300], rail);
  expect(onRefresh).not.toHaveBeenCalled();
});

test('a failure ends the busy state', async () => {
  const onRefresh = vi.fn(() => Promise.reject(new Error('no network')));
  renderUi(<PullToRefresh label="Loading" onRefresh={onRefresh} />);
  await act(async () => pull([100, 100], [100, 300]));
  expect(screen.getByRole('status').textContent).toBe('');
});
