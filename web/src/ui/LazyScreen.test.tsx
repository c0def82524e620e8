import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { afterEach, expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { advanceTime } from '../lib/testing/time.ts';
import { LazyScreen } from './LazyScreen.tsx';

afterEach(() => void vi.useRealTimers());

const Home = () => <h1>Home</h1>;

test('LY-12 in part: the loading state appears after 200 ms', async () => {
  vi.useFakeTimers();
  let finish: (module: { default: ComponentType }) => void = () => {};
  const load = () =>
    new Promise<{ default: ComponentType }>((resolve) => {
      finish = resolve;
    });
  renderUi(<LazyScreen load={load} top={<a href="/m/home">Back</a>} />);
  advanceTime(199);
  expect(screen.queryByRole('status')).toBeNull();
  advanceTime(1);
  expect(screen.getByRole('status')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back' })).toBeVisible();
  await act(async () => finish({ default: Home }));
  expect(screen.getByRole('heading').textContent).toBe('Home');
});

test('loads a screen once', async () => {
  const load = vi.fn(() => Promise.resolve({ default: Home }));
  const first = renderUi(<LazyScreen load={load} />);
  await screen.findByRole('heading');
  first.unmount();
  renderUi(<LazyScreen load={load} />);
  expect(screen.getByRole('heading')).toBeVisible();
  expect(load).toHaveBeenCalledTimes(1);
});

test('a failed load can be retried', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const load = vi
    .fn(() => Promise.resolve({ default: Home }))
    .mockRejectedValueOnce(new TypeError('Failed to fetch'));
  renderUi(<LazyScreen load={load} />);
  await userEvent.click(await screen.findByRole('button', { name: /tap to retry/ }));
  expect(await screen.findByRole('heading')).toBeVisible();
  expect(load).toHaveBeenCalledTimes(2);
});

test('a screen that throws shows a system error, not a failed load', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let broken = true;
  const Screen = () => {
    if (broken) throw new Error('a bug');
    return <Home />;
  };
  renderUi(<LazyScreen load={() => Promise.resolve({ default: Screen })} />);
  const again = await screen.findByRole('button', { name: /^System error/ });
  expect(screen.queryByText(/Load failed/)).toBeNull();
  broken = false;
  await userEvent.click(again);
  expect(await screen.findByRole('heading')).toBeVisible();
});

test('a failure shows the back link and retries when the network returns', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const load = vi
    .fn(() => Promise.resolve({ default: Home }))
    .mockRejectedValueOnce(new TypeError('Failed to fetch'));
  renderUi(<LazyScreen load={load} top={<a href="/m/home">Back</a>} />);
  await screen.findByRole('alert');
  expect(screen.getByRole('link', { name: 'Back' })).toBeVisible();
  act(() => void dispatchEvent(new Event('online')));
  expect(await screen.findByRole('heading')).toBeVisible();
  expect(screen.queryByRole('link')).toBeNull();
});
