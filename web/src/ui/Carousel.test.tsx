import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { advanceTime } from '../lib/testing/time.ts';
import { Carousel } from './Carousel.tsx';

const width = 358;

// jsdom has no layout, so the measured sizes are mocked.
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(width);
  vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (
    this: HTMLElement,
  ) {
    return this.tagName === 'LI'
      ? [...(this.parentElement?.children ?? [])].indexOf(this) * width
      : 0;
  });
});

afterEach(() => {
  document.documentElement.dir = 'ltr';
  vi.useRealTimers();
});

function show(...items: string[]) {
  return renderUi(
    <Carousel
      label="Offers"
      items={items}
      keyOf={(item) => item}
      renderItem={(item) => <p>{item}</p>}
    />,
  );
}

const selected = () =>
  [...document.querySelectorAll('.dot')].findIndex((dot) => dot.matches('.on'));

const viewport = () => document.querySelector('.viewport')!;

test('HM-04 in part: advances every 5000 ms and loops', () => {
  show('a', 'b');
  expect(screen.getByRole('region', { name: 'Offers' })).toBeVisible();
  advanceTime(4999);
  expect(selected()).toBe(0);
  advanceTime(1);
  expect(selected()).toBe(1);
  advanceTime(5000);
  expect(selected()).toBe(0);
});

test('HM-04 in part: a single banner does not autoplay and has no dots', () => {
  const timers = vi.spyOn(window, 'setTimeout');
  show('a');
  expect(document.querySelector('.dots')).toBeNull();
  expect(timers.mock.calls.some(([, ms]) => ms === 5000)).toBe(false);
});

test('pauses while the page is hidden', () => {
  show('a', 'b');
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  advanceTime(20_000);
  expect(selected()).toBe(0);
  state.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  advanceTime(5000);
  expect(selected()).toBe(1);
});

test('does not autoplay with reduced motion', () => {
  const still = Object.assign(window.matchMedia(''), { matches: true });
  vi.spyOn(window, 'matchMedia').mockReturnValue(still);
  show('a', 'b');
  advanceTime(20_000);
  expect(selected()).toBe(0);
});

test('can be stopped and started again', () => {
  show('a', 'b', 'c');
  advanceTime(5000);
  fireEvent.click(screen.getByRole('button', { name: 'Stop the movement' }));
  fireEvent.mouseEnter(screen.getByRole('region'));
  fireEvent.mouseLeave(screen.getByRole('region'));
  advanceTime(20_000);
  expect(selected()).toBe(1);
  fireEvent.click(screen.getByRole('button', { name: 'Start the movement' }));
  advanceTime(5000);
  expect(selected()).toBe(2);
});

test.each([
  ['the mouse is over it', 'mouseEnter', 'mouseLeave'],
  ['it is pressed', 'mouseDown', 'mouseUp'],
  ['it has the focus', 'focus', 'blur'],
] as const)('pauses while %s', (_, begin, end) => {
  // Embla ignores presses on elements without layout.
  vi.spyOn(HTMLElement.prototype, 'offsetParent', 'get').mockReturnValue(document.body);
  show('a', 'b');
  const target = begin === 'focus' ? screen.getByText('a').parentElement : viewport();
  // Embla handles focus only after a Tab key.
  fireEvent.keyDown(document, { code: 'Tab' });
  fireEvent[begin](target!);
  advanceTime(20_000);
  expect(selected()).toBe(0);
  fireEvent[end](target!);
  advanceTime(4999);
  expect(selected()).toBe(0);
  advanceTime(1);
  expect(selected()).toBe(1);
});

test('a single slide has no stop button', () => {
  show('a');
  expect(screen.queryByRole('button')).toBeNull();
});

function showPictures(...items: string[]) {
  const loads = new Map<Element, { finish: () => void; fail: () => void }>();
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(false);
  HTMLImageElement.prototype.decode = function () {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    loads.set(this, { finish: resolve, fail: () => reject(new Error('no such picture')) });
    return promise;
  };
  renderUi(
    <Carousel
      label="Offers"
      items={items}
      keyOf={(item) => item}
      renderItem={(item) => <img src={item} alt="" loading="lazy" />}
    />,
  );
  const [, next] = document.querySelectorAll('img');
  return { next: next!, ...loads.get(next!)! };
}

const flush = () => act(() => Promise.resolve());

test('loads the next picture early and waits for it', async () => {
  const { next, finish } = showPictures('/a.webp', '/b.webp');
  expect(next.loading).toBe('eager');
  advanceTime(5000);
  expect(selected()).toBe(0);
  finish();
  await flush();
  advanceTime(4999);
  expect(selected()).toBe(0);
  advanceTime(1);
  expect(selected()).toBe(1);
});

test('does not wait for a picture that fails to load', async () => {
  const { fail } = showPictures('/a.webp', '/b.webp');
  fail();
  await flush();
  await flush();
  advanceTime(5000);
  expect(selected()).toBe(1);
});
