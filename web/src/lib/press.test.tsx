import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { usePress } from './press.ts';
import { advanceTime } from './testing/time.ts';

const onTap = vi.fn();
const onLong = vi.fn();

function Target() {
  const { pressed, handlers } = usePress(onLong);
  return (
    <button type="button" aria-pressed={pressed} onClick={onTap} {...handlers}>
      game
    </button>
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  onTap.mockReset();
  onLong.mockReset();
});
afterEach(() => void vi.useRealTimers());

const isPressed = () => screen.getByRole('button').getAttribute('aria-pressed') === 'true';

test('KO-05 in part: looks pressed after 130 ms, and a long press fires after 370 ms', () => {
  render(<Target />);
  const target = screen.getByRole('button');
  fireEvent.pointerDown(target);
  advanceTime(129);
  expect(isPressed()).toBe(false);
  advanceTime(1);
  expect(isPressed()).toBe(true);
  advanceTime(239);
  expect(onLong).not.toHaveBeenCalled();
  advanceTime(1);
  expect(onLong).toHaveBeenCalledTimes(1);
  fireEvent.pointerUp(target);
  fireEvent.click(target);
  expect(onTap).not.toHaveBeenCalled();
  fireEvent.click(target);
  expect(onTap).toHaveBeenCalledTimes(1);
});

test('a short press is a tap', () => {
  render(<Target />);
  const target = screen.getByRole('button');
  fireEvent.pointerDown(target);
  advanceTime(100);
  fireEvent.pointerUp(target);
  fireEvent.click(target);
  advanceTime(1000);
  expect(onTap).toHaveBeenCalledTimes(1);
  expect(onLong).not.toHaveBeenCalled();
});

test('scrolling does not press an element', () => {
  render(<Target />);
  const target = screen.getByRole('button');
  fireEvent.pointerDown(target, { clientX: 10, clientY: 10 });
  fireEvent.pointerMove(target, { clientX: 10, clientY: 40 });
  advanceTime(1000);
  expect(isPressed()).toBe(false);
  expect(onLong).not.toHaveBeenCalled();
});
