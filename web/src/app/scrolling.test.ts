// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { markWhileScrolling, markScrolled } from './scrolling.ts';

let element: HTMLElement;

beforeEach(() => {
  vi.useFakeTimers();
  element = document.createElement('div');
});

afterEach(() => void vi.useRealTimers());

function scrollTo(position: number) {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(position);
  window.dispatchEvent(new Event('scroll'));
}

const attributes = () => element.getAttributeNames();

test('an element is marked while the page is not at the top', () => {
  scrollTo(0);
  const stop = markScrolled(element);
  expect(attributes()).toEqual([]);
  scrollTo(5);
  expect(attributes()).toEqual(['data-scrolled']);
  scrollTo(300);
  expect(attributes()).toEqual(['data-scrolled']);
  scrollTo(4);
  expect(attributes()).toEqual([]);
  stop();
  scrollTo(300);
  expect(attributes()).toEqual([]);
});

test('an element on a page that is already scrolled is marked at once', () => {
  scrollTo(300);
  markScrolled(element)();
  expect(attributes()).toEqual(['data-scrolled']);
});

test('an element is marked while the page scrolls, until 180 ms after the last movement', () => {
  const stop = markWhileScrolling(element);
  scrollTo(4);
  expect(attributes()).toEqual([]);
  scrollTo(100);
  expect(attributes()).toEqual(['data-moving']);
  vi.advanceTimersByTime(100);
  scrollTo(200);
  vi.advanceTimersByTime(179);
  expect(attributes()).toEqual(['data-moving']);
  vi.advanceTimersByTime(1);
  expect(attributes()).toEqual([]);
  scrollTo(300);
  expect(attributes()).toEqual(['data-moving']);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('marking does not read the position, which would force a layout', () => {
  const scrollY = vi.spyOn(window, 'scrollY', 'get');
  markScrolled(element)();
  markWhileScrolling(element)();
  expect(scrollY).not.toHaveBeenCalled();
});
