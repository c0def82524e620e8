// @vitest-environment jsdom
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { entry, onStepBack, onLayer } from './layers.ts';
import { navigate } from './router.tsx';
import { flushEventLoop } from './testing/time.ts';

const settled = () => flushEventLoop();

beforeEach(() => history.replaceState(null, '', '/m/game'));

test('a step back closes a layer and keeps the screen', async () => {
  const close = vi.fn();
  onStepBack(close);
  await settled();
  expect(onLayer()).toBe(true);
  history.back();
  await expect.poll(() => close.mock.calls.length).toBe(1);
  expect(location.pathname).toBe('/m/game');
  expect(onLayer()).toBe(false);
});

test('closing a layer removes its history step', async () => {
  const close = vi.fn();
  const closed = onStepBack(close);
  await settled();
  closed();
  await expect.poll(onLayer).toBe(false);
  expect(close).not.toHaveBeenCalled();
});

test('the next layer reuses the history step', async () => {
  const first = onStepBack(() => {});
  await settled();
  const length = history.length;
  const close = vi.fn();
  const second = onStepBack(close);
  first();
  await settled();
  expect(history.length).toBe(length);
  history.back();
  await expect.poll(() => close.mock.calls.length).toBe(1);
  second();
});

test('navigation closes the layer, and one step back returns to the screen below it', async () => {
  const close = vi.fn();
  const closed = onStepBack(close);
  await settled();
  navigate('/m/help');
  closed();
  expect(close).toHaveBeenCalledOnce();
  await settled();
  expect(location.pathname).toBe('/m/help');
  expect(entry()).toMatchObject({ depth: 1, from: '/m/game' });
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/game');
  expect(onLayer()).toBe(false);
});

test('replacing the screen removes the step of its layer', async () => {
  navigate('/m/withdraw');
  const { depth } = entry()!;
  const closed = onStepBack(() => {});
  await settled();
  navigate('/m/login', { replace: true });
  closed();
  await expect.poll(() => location.pathname).toBe('/m/login');
  expect(entry()).toMatchObject({ depth, from: '/m/game' });
});

test('a step forward to a closed layer is reverted', async () => {
  onStepBack(() => {});
  await settled();
  history.back();
  await expect.poll(onLayer).toBe(false);
  history.forward();
  await settled();
  await expect.poll(onLayer).toBe(false);
  expect(location.pathname).toBe('/m/game');
});

/** Loads the module again on the step of a layer over `/m/game`, one step after `/m/home`. */
async function reloadOnLayer() {
  history.replaceState({ key: 'a', depth: 0 }, '', '/m/home');
  history.pushState({ key: 'b', depth: 1, from: '/m/home' }, '', '/m/game');
  history.pushState({ key: 'b', depth: 2, from: '/m/home', layer: true }, '', '/m/game');
  const back = vi.spyOn(history, 'back');
  onTestFinished(() => back.mockRestore());
  vi.resetModules();
  return { back, reloaded: await import('./layers.ts') };
}

test('a reload on a layer’s step stays there, and the next layer reuses the step', async () => {
  const { back, reloaded } = await reloadOnLayer();
  await settled();
  expect(back).not.toHaveBeenCalled();
  const { length } = history;
  const close = vi.fn();
  reloaded.onStepBack(close);
  await settled();
  expect(history.length).toBe(length);
  history.back();
  await expect.poll(() => close.mock.calls.length).toBe(1);
  await settled();
  expect(location.pathname).toBe('/m/game');
});

test('one step back after a reload on a layer’s step is the screen before', async () => {
  await reloadOnLayer();
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/home');
});

test('closing a layer while the screen is replaced takes one step back, not two', async () => {
  history.replaceState(null, '', '/m/home');
  navigate('/m/game');
  const closed = onStepBack(() => navigate('/m/game?tab=1', { replace: true }));
  await settled();
  const back = vi.spyOn(history, 'back');
  onTestFinished(() => back.mockRestore());
  navigate('/m/game?tab=1', { replace: true });
  closed();
  await expect.poll(() => location.search).toBe('?tab=1');
  await settled();
  expect(location.pathname + location.search).toBe('/m/game?tab=1');
  expect(back).toHaveBeenCalledOnce();
});
