import { useEffect, useRef, useState, type MouseEvent, type PointerEvent } from 'react';

/** The minimum duration of a long press. */
const longPressMs = 370;
/** The delay before an element looks pressed, because a short touch may start a scroll. */
const pressDelayMs = 130;
/** A finger that has moved further than this is not pressing. */
const slop = 10;

type Press = {
  /** True while the element should look pressed. */
  pressed: boolean;
  handlers: {
    onPointerDown(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerUp(): void;
    onPointerCancel(): void;
    onClickCapture(event: MouseEvent): void;
    onContextMenu(event: MouseEvent): void;
  };
};

/** Pointer handlers for press feedback and long presses by touch or pen. A mouse has its own menu. The click after a long press is ignored. */
export function usePress(onLongPress?: () => void): Press {
  const [pressed, setPressed] = useState(false);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const start = useRef({ x: 0, y: 0 });
  const long = useRef(false);

  function end(): void {
    timers.current.forEach(clearTimeout);
    timers.current = [];
    setPressed(false);
  }

  useEffect(() => () => timers.current.forEach(clearTimeout), []);

  return {
    pressed,
    handlers: {
      onPointerDown(event) {
        end();
        long.current = false;
        start.current = { x: event.clientX, y: event.clientY };
        timers.current.push(setTimeout(() => setPressed(true), pressDelayMs));
        if (!onLongPress || event.pointerType === 'mouse') return;
        timers.current.push(
          setTimeout(() => {
            long.current = true;
            onLongPress();
          }, longPressMs),
        );
      },
      onPointerMove(event) {
        const { x, y } = start.current;
        if (Math.hypot(event.clientX - x, event.clientY - y) > slop) end();
      },
      onPointerUp: end,
      onPointerCancel: end,
      onClickCapture(event) {
        if (!long.current) return;
        long.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
      onContextMenu(event) {
        // Touch browsers open their context menu on a long press.
        if (long.current) event.preventDefault();
      },
    },
  };
}
