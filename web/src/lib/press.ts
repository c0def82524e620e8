import { useEffect, useRef, useState, type MouseEvent, type PointerEvent } from 'react';

/** A finger that rests this long means a long press. */
const longPressMs = 370;
/** Nothing looks pressed before this: the finger may only be starting to scroll. */
const pressDelayMs = 130;
/** A finger that wandered further than this is not pressing. */
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

/**
 * Pointer handlers that show a press late and tell a long one, of a finger or a pen: a mouse has a second button, and a
 * menu that is its own. The tap after a long press is swallowed.
 */
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
        // Touch browsers open their menu on a long press, over what it did.
        if (long.current) event.preventDefault();
      },
    },
  };
}
