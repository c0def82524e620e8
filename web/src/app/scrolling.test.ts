// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { markMoving, markScrolled } from './scrolling.ts';

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

const marks = () => element.getAttributeNames();

test('an element is marked while the page is away from its top', () => {
  scrollTo(0);
  const stop = markScrolled(element);
  expect(marks()).toEqual([]);
  scrollTo(5);
  expect(marks()).toEqual(['data-scrolled']);
  scrollTo(300);
  expect(marks()).toEqual(['data-scrolled']);
  scrollTo(4);
  expect(marks()).toEqual([]);
  stop();
  scrollTo(300);
  expect(marks()).toEqual([]);
});

test('one that comes to a page scrolled already is marked at once', () => {
  scrollTo(300);
  markScrolled(element)();
  expect(marks()).toEqual(['data-scrolled']);
});

test('an element is marked while the page moves, until 180 ms after its last movement', () => {
  const stop = markMoving(element);
  scrollTo(4);
  expect(marks()).toEqual([]);
  scrollTo(100);
  expect(marks()).toEqual(['data-moving']);
  vi.advanceTimersByTime(100);
  scrollTo(200);
  vi.advanceTimersByTime(179);
  expect(marks()).toEqual(['data-moving']);
  vi.advanceTimersByTime(1);
  expect(marks()).toEqual([]);
  scrollTo(300);
  expect(marks()).toEqual(['data-moving']);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('no element asks the page where it is, which would lay it out', () => {
  const asked = vi.spyOn(window, 'scrollY', 'get');
  markScrolled(element)();
  markMoving(element)();
  expect(asked).not.toHaveBeenCalled();
});
