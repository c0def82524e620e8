import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { renderUi } from '../lib/testing/render.tsx';
import { pass } from '../lib/testing/time.ts';
import { Carousel } from './Carousel.tsx';

const width = 358;

// jsdom lays nothing out; the carousel measures its viewport, its track and its slides.
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

test('HM-04 in part: moves on every 5000 ms and loops', () => {
  show('a', 'b');
  expect(screen.getByRole('region', { name: 'Offers' })).toBeTruthy();
  pass(4999);
  expect(selected()).toBe(0);
  pass(1);
  expect(selected()).toBe(1);
  pass(5000);
  expect(selected()).toBe(0);
});

test('HM-04 in part: one single banner does not autoplay and has no dots', () => {
  const timers = vi.spyOn(window, 'setTimeout');
  show('a');
  expect(document.querySelector('.dots')).toBeNull();
  expect(timers.mock.calls.some(([, ms]) => ms === 5000)).toBe(false);
});

test('waits while the page is hidden', () => {
  show('a', 'b');
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  pass(20_000);
  expect(selected()).toBe(0);
  state.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  pass(5000);
  expect(selected()).toBe(1);
});

test('does not move by itself for a reader who wants no motion', () => {
  const still = Object.assign(window.matchMedia(''), { matches: true });
  vi.spyOn(window, 'matchMedia').mockReturnValue(still);
  show('a', 'b');
  pass(20_000);
  expect(selected()).toBe(0);
});

test('can be stopped where it is, and started again', () => {
  show('a', 'b', 'c');
  pass(5000);
  fireEvent.click(screen.getByRole('button', { name: 'Stop the movement' }));
  fireEvent.mouseEnter(screen.getByRole('region'));
  fireEvent.mouseLeave(screen.getByRole('region'));
  pass(20_000);
  expect(selected()).toBe(1);
  fireEvent.click(screen.getByRole('button', { name: 'Start the movement' }));
  pass(5000);
  expect(selected()).toBe(2);
});

test.each([
  ['a mouse over them', 'mouseEnter', 'mouseLeave'],
  ['whoever holds them', 'mouseDown', 'mouseUp'],
  ['the focus in them', 'focus', 'blur'],
] as const)('waits for %s, as long as it is there', (_, begin, end) => {
  // Nobody can hold what is not laid out.
  vi.spyOn(HTMLElement.prototype, 'offsetParent', 'get').mockReturnValue(document.body);
  show('a', 'b');
  const target = begin === 'focus' ? screen.getByText('a').parentElement : viewport();
  // The focus of a tap is none that somebody reads with.
  fireEvent.keyDown(document, { code: 'Tab' });
  fireEvent[begin](target!);
  pass(20_000);
  expect(selected()).toBe(0);
  fireEvent[end](target!);
  pass(4999);
  expect(selected()).toBe(0);
  pass(1);
  expect(selected()).toBe(1);
});

test('what does not move needs no button', () => {
  show('a');
  expect(screen.queryByRole('button')).toBeNull();
});

/** Pictures whose bytes come, or fail to, when the test says so. */
function showPictures(...items: string[]) {
  const arrival = new Map<Element, { come: () => void; fail: () => void }>();
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(false);
  HTMLImageElement.prototype.decode = function () {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    arrival.set(this, { come: resolve, fail: () => reject(new Error('no such picture')) });
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
  return { next: next!, ...arrival.get(next!)! };
}

const settle = () => act(() => Promise.resolve());

test('fetches the next picture at once, and waits for it before it slides', async () => {
  const { next, come } = showPictures('/a.webp', '/b.webp');
  expect(next.loading).toBe('eager');
  pass(5000);
  expect(selected()).toBe(0);
  come();
  await settle();
  pass(4999);
  expect(selected()).toBe(0);
  pass(1);
  expect(selected()).toBe(1);
});

test('does not wait for a picture that cannot be had', async () => {
  const { fail } = showPictures('/a.webp', '/b.webp');
  fail();
  await settle();
  await settle();
  pass(5000);
  expect(selected()).toBe(1);
});
