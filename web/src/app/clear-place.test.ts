// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import { moveOffWords } from './clear-place.ts';

/** What stands on the screen, from one line to another. */
let shown: { element: Element; from: number; to: number }[] = [];

beforeEach(() => {
  shown = [];
  document.body.innerHTML = '<main></main><aside></aside>';
  vi.spyOn(document, 'elementsFromPoint').mockImplementation((_x, y) =>
    shown.filter(({ from, to }) => y >= from && y <= to).map(({ element }) => element),
  );
});

function show(html: string, from: number, to: number, inside = 'main'): void {
  const place = document.querySelector(inside)!;
  place.insertAdjacentHTML('beforeend', html);
  shown.push({ element: place.lastElementChild!, from, to });
}

/** By how much a button of 48 is raised whose place is from 700 to 748. */
function lifted(button = document.createElement('div')): number {
  const y = 700 - Number(button.dataset['lift'] ?? 0);
  vi.spyOn(button, 'getBoundingClientRect').mockReturnValue(new DOMRect(330, y, 48, 48));
  moveOffWords(button);
  const lift = Number(button.dataset['lift']);
  expect(button.style.translate).toBe(`0 ${-lift}px`);
  return lift;
}

test('over pictures it stays in its place', () => {
  show('<img alt="">', 600, 800);
  show('<span>What floats itself</span>', 600, 800, 'aside');
  expect(lifted()).toBe(0);
});

test('from a name it rises to the picture above it', () => {
  show('<span>Rồng Vàng</span>', 700, 742);
  expect(lifted()).toBe(52);
});

test('the top of a tile, with its star, is left free', () => {
  show('<span>Rồng Vàng</span>', 700, 742);
  show('<article></article>', 640, 790);
  const tile = document.querySelector('article')!;
  vi.spyOn(tile, 'getBoundingClientRect').mockReturnValue(new DOMRect(270, 640, 112, 150));
  expect(lifted()).toBe(112);
});

test('where words are everywhere it stays', () => {
  show('<p>Long</p>', 0, 800);
  expect(lifted()).toBe(0);
});

test('where nothing is free it covers as little as it can', () => {
  show('<p>Above</p>', 0, 660);
  show('<p>Below</p>', 700, 800);
  expect(lifted()).toBe(44);
});

test('asked again, it counts from its place and not from where it was raised to', () => {
  show('<span>Rồng Vàng</span>', 700, 742);
  const button = document.createElement('div');
  expect(lifted(button)).toBe(52);
  expect(lifted(button)).toBe(52);
  shown = [];
  expect(lifted(button)).toBe(0);
});
