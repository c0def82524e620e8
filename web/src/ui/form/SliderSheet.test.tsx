import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { renderUi } from '../../lib/testing/render.tsx';
import { SliderPuzzle } from './SliderPuzzle.tsx';
import { SliderSheet, type Challenge } from './SliderSheet.tsx';

let puzzles: number;
let slides: [string, number][];

function challenge(more: Partial<Challenge> = {}): Challenge {
  return {
    async puzzle() {
      puzzles += 1;
      return {
        id: `p${puzzles}`,
        background: 'data:background',
        piece: 'data:piece',
        width: 320,
        height: 180,
        pieceWidth: 56,
        pieceHeight: 56,
        pieceY: 60,
        expiresIn: 60,
      };
    },
    async slide(id, x) {
      slides.push([id, x]);
      if (Math.abs(x - 132) > 5) throw new Error('Not quite');
      return 'pass-1';
    },
    explain: (failure) => (failure as Error).message,
    ...more,
  };
}

beforeEach(() => {
  puzzles = 0;
  slides = [];
  // jsdom has no layout. A 328 px track and a 64 px thumb match the range of the piece.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(328);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(64);
  HTMLElement.prototype.setPointerCapture = () => {};
});

afterEach(() => {
  vi.useRealTimers();
  document.documentElement.removeAttribute('dir');
});

const thumb = () => screen.findByRole('slider');
const at = async () => Number((await thumb()).getAttribute('aria-valuenow'));

function drag(element: HTMLElement, by: number): void {
  fireEvent.pointerDown(element, { clientX: 100, pointerId: 1 });
  fireEvent.pointerMove(element, { clientX: 100 + by, pointerId: 1 });
  fireEvent.pointerUp(element, { clientX: 100 + by, pointerId: 1 });
}

function renderPuzzle(onPass = vi.fn(), given = challenge()) {
  renderUi(<SliderPuzzle challenge={given} onPass={onPass} />);
  return onPass;
}

test.each(['ltr', 'rtl'])('the piece is dragged into its gap from the left in %s', async (dir) => {
  document.documentElement.dir = dir;
  const onPass = renderPuzzle();
  drag(await thumb(), 132);
  await expect.poll(() => onPass.mock.calls[0]?.[0]).toBe('pass-1');
  expect(slides).toEqual([['p1', 132]]);
  expect((await thumb()).closest('[dir=ltr]')).not.toBeNull();
});

test('arrow keys move the piece, finely with Shift, and Enter submits', async () => {
  const onPass = renderPuzzle();
  (await thumb()).focus();
  await userEvent.keyboard('{Enter}');
  expect(slides).toEqual([]);
  await userEvent.keyboard('{End}');
  expect(await at()).toBe(264);
  await userEvent.keyboard('{Home}{ArrowLeft}');
  expect(await at()).toBe(0);
  await userEvent.keyboard('{ArrowRight>32/}{Shift>}{ArrowRight>3/}{ArrowLeft}{/Shift}');
  expect(await at()).toBe(130);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => onPass.mock.calls[0]?.[0]).toBe('pass-1');
  expect(slides).toEqual([['p1', 130]]);
});

test('a miss shows an error and a new picture; a touch without movement is ignored', async () => {
  const onPass = renderPuzzle();
  drag(await thumb(), 0);
  expect(slides).toEqual([]);
  drag(await thumb(), 50);
  expect(await screen.findByText('Not quite')).toBeVisible();
  await expect.poll(() => puzzles).toBe(2);
  await expect.poll(at).toBe(0);
  drag(await thumb(), 132);
  await expect.poll(() => onPass.mock.calls.length).toBe(1);
  expect(slides.at(-1)).toEqual(['p2', 132]);
});

test('an expired puzzle is replaced, and can be replaced earlier', async () => {
  vi.useFakeTimers();
  renderPuzzle();
  await act(() => vi.advanceTimersByTimeAsync(12_000));
  expect(screen.getByText('48 s left')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(48_000));
  expect(puzzles).toBe(2);
  fireEvent.click(screen.getByRole('button', { name: 'Another picture' }));
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(puzzles).toBe(3);
});

test('a failed load can be retried', async () => {
  const puzzle = vi
    .fn<Challenge['puzzle']>()
    .mockRejectedValueOnce(new Error('Network unstable'))
    .mockImplementation(challenge().puzzle);
  renderPuzzle(vi.fn(), challenge({ puzzle }));
  expect(await screen.findByText('Network unstable', { exact: false })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: /try again|retry|load/i }));
  expect(await thumb()).toBeVisible();
});

test('nothing replaces the slider', async () => {
  renderUi(<SliderSheet open onClose={() => {}} challenge={challenge()} onPass={vi.fn()} />);
  expect(await thumb()).toBeVisible();
  expect(screen.queryByLabelText('Captcha')).toBeNull();
  expect(screen.queryByRole('button', { name: /instead/ })).toBeNull();
});
