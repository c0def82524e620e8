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

/** By how much a button of 48 is raised that stands from 700 to 748. */
function lifted(): string {
  const button = document.createElement('div');
  vi.spyOn(button, 'getBoundingClientRect').mockReturnValue(new DOMRect(330, 700, 48, 48));
  moveOffWords(button);
  return button.style.translate;
}

test('over pictures it stays in its place', () => {
  show('<img alt="">', 600, 800);
  show('<span>What floats itself</span>', 600, 800, 'aside');
  expect(lifted()).toBe('');
});

test('from a name it rises to the picture above it', () => {
  show('<span>Rồng Vàng</span>', 700, 742);
  expect(lifted()).toBe('0 -48px');
});

test('the top of a tile, with its star, is left free', () => {
  show('<span>Rồng Vàng</span>', 700, 742);
  show('<article></article>', 640, 790);
  const tile = document.querySelector('article')!;
  vi.spyOn(tile, 'getBoundingClientRect').mockReturnValue(new DOMRect(270, 640, 112, 150));
  expect(lifted()).toBe('0 -104px');
});

test('where words are everywhere it stays', () => {
  show('<p>Long</p>', 0, 800);
  expect(lifted()).toBe('');
});
