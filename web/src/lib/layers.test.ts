// @vitest-environment jsdom
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { entry, onStepBack, onLayer } from './layers.ts';
import { navigate } from './router.tsx';
import { turns } from './testing/time.ts';

const settled = () => turns();

beforeEach(() => history.replaceState(null, '', '/m/game'));

test('a step back closes a layer and leaves the screen where it is', async () => {
  const close = vi.fn();
  onStepBack(close);
  await settled();
  expect(onLayer()).toBe(true);
  history.back();
  await expect.poll(() => close.mock.calls.length).toBe(1);
  expect(location.pathname).toBe('/m/game');
  expect(onLayer()).toBe(false);
});

test('a layer that closes by itself takes its step with it', async () => {
  const close = vi.fn();
  const closed = onStepBack(close);
  await settled();
  closed();
  await expect.poll(onLayer).toBe(false);
  expect(close).not.toHaveBeenCalled();
});

test('one layer gives its step to the next', async () => {
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

test('going somewhere closes the layer, and one step back from there is the screen below it', async () => {
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

test('going elsewhere in place of the screen leaves no step of it behind', async () => {
  navigate('/m/withdraw');
  const { depth } = entry()!;
  const closed = onStepBack(() => {});
  await settled();
  navigate('/m/login', { replace: true });
  closed();
  await expect.poll(() => location.pathname).toBe('/m/login');
  expect(entry()).toMatchObject({ depth, from: '/m/game' });
});

test('a step forward to a layer that is gone is taken back', async () => {
  onStepBack(() => {});
  await settled();
  history.back();
  await expect.poll(onLayer).toBe(false);
  history.forward();
  await settled();
  await expect.poll(onLayer).toBe(false);
  expect(location.pathname).toBe('/m/game');
});

/** Loads the page anew on the step of a layer that lies over `/m/game`, itself one step from `/m/home`. */
async function reloadOnLayer() {
  history.replaceState({ key: 'a', depth: 0 }, '', '/m/home');
  history.pushState({ key: 'b', depth: 1, from: '/m/home' }, '', '/m/game');
  history.pushState({ key: 'b', depth: 2, from: '/m/home', layer: true }, '', '/m/game');
  const back = vi.spyOn(history, 'back');
  onTestFinished(() => back.mockRestore());
  vi.resetModules();
  return { back, anew: await import('./layers.ts') };
}

test('a page loaded anew on a layer’s step goes nowhere, and the next layer takes the step over', async () => {
  const { back, anew } = await reloadOnLayer();
  await settled();
  expect(back).not.toHaveBeenCalled();
  const { length } = history;
  const close = vi.fn();
  anew.onStepBack(close);
  await settled();
  expect(history.length).toBe(length);
  history.back();
  await expect.poll(() => close.mock.calls.length).toBe(1);
  await settled();
  expect(location.pathname).toBe('/m/game');
});

test('one step back from a page loaded anew on a layer’s step is the screen before', async () => {
  await reloadOnLayer();
  history.back();
  await expect.poll(() => location.pathname).toBe('/m/home');
});

test('a layer that is closed while the screen is replaced takes one step back, not two', async () => {
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
