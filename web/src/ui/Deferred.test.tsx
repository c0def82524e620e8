import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { flushEventLoop } from '../lib/testing/time.ts';
import { Deferred } from './Deferred.tsx';

function piece() {
  return vi.fn(() => Promise.resolve({ default: () => <p>piece</p> }));
}

test('waits for the first input, unless it was loaded before', async () => {
  const load = piece();
  const { unmount } = renderUi(<Deferred load={load} afterInput />);
  await act(() => flushEventLoop());
  expect(load).not.toHaveBeenCalled();
  fireEvent.pointerDown(document.body);
  expect(await screen.findByText('piece')).toBeVisible();
  unmount();
  renderUi(<Deferred load={load} afterInput />);
  expect(screen.getByText('piece')).toBeVisible();
  expect(load).toHaveBeenCalledTimes(1);
});

test('a component that loads after unmounting renders at once the next time', async () => {
  const load = piece();
  let finish!: () => void;
  const delay = new Promise<void>((resolve) => (finish = resolve));
  load.mockImplementation(() => delay.then(() => ({ default: () => <p>piece</p> })));
  const { unmount } = renderUi(<Deferred load={load} />);
  await expect.poll(() => load.mock.calls.length).toBe(1);
  unmount();
  await act(async () => finish());
  await act(() => flushEventLoop());
  renderUi(<Deferred load={load} />);
  expect(screen.getByText('piece')).toBeVisible();
});

test('a failed load is retried by the next mount', async () => {
  const load = piece();
  load.mockImplementationOnce(() => Promise.reject(new Error('no network')));
  const { unmount } = renderUi(<Deferred load={load} />);
  await expect.poll(() => load.mock.calls.length).toBe(1);
  unmount();
  renderUi(<Deferred load={load} />);
  expect(await screen.findByText('piece')).toBeVisible();
});
