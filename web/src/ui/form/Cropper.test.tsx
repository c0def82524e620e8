import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';

import { renderUi } from '../../lib/testing/render.tsx';
import { Cropper } from './Cropper.tsx';

beforeEach(() => {
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => {};
  Element.prototype.setPointerCapture = () => {};
});

function show() {
  renderUi(
    <Cropper
      picture={new Blob(['x'], { type: 'image/png' })}
      onCrop={() => {}}
      onUnreadable={() => {}}
    />,
  );
  const frame = screen.getByRole('application');
  Object.defineProperty(frame, 'clientWidth', { value: 200 });
  const image = frame.querySelector('img')!;
  Object.defineProperties(image, { naturalWidth: { value: 400 }, naturalHeight: { value: 200 } });
  fireEvent.load(image);
  return { frame, image };
}

const point = (pointerId: number, clientX: number, clientY: number) => ({
  pointerId,
  clientX,
  clientY,
});

test('the picture can be dragged', () => {
  const { frame, image } = show();
  expect(image.style.insetInlineStart).toBe('-50%');
  fireEvent.pointerDown(frame, point(1, 100, 100));
  fireEvent.pointerMove(frame, point(1, 140, 100));
  expect(Number.parseFloat(image.style.insetInlineStart)).toBeCloseTo(-30);
  fireEvent.pointerUp(frame, point(1, 140, 100));
  fireEvent.pointerMove(frame, point(1, 190, 100));
  expect(Number.parseFloat(image.style.insetInlineStart)).toBeCloseTo(-30);
});

test('a pinch zooms in', () => {
  const { frame } = show();
  fireEvent.pointerDown(frame, point(1, 80, 100));
  fireEvent.pointerDown(frame, point(2, 120, 100));
  fireEvent.pointerMove(frame, point(2, 160, 100));
  expect(screen.getByRole<HTMLInputElement>('slider', { name: 'Zoom' }).valueAsNumber).toBeCloseTo(
    2,
  );
});

test('keys, the wheel and the slider move and zoom', () => {
  const { frame, image } = show();
  const zoom = screen.getByRole<HTMLInputElement>('slider', { name: 'Zoom' });
  fireEvent.keyDown(frame, { key: 'ArrowRight' });
  expect(Number.parseFloat(image.style.insetInlineStart)).toBeCloseTo(-55);
  fireEvent.keyDown(frame, { key: '+' });
  expect(zoom.valueAsNumber).toBeCloseTo(1.15);
  fireEvent.keyDown(frame, { key: '-' });
  expect(zoom.valueAsNumber).toBeCloseTo(1);
  fireEvent.wheel(frame, { deltaY: -100 });
  expect(zoom.valueAsNumber).toBeCloseTo(1.1);
  fireEvent.change(zoom, { target: { value: '3' } });
  expect(Number.parseFloat(image.style.inlineSize)).toBeCloseTo(600);
});
