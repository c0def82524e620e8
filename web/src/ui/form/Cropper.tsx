import { useLingui } from '@lingui/react/macro';
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';

import { useBlobAddress } from '../../lib/blob-address.ts';
import { Button } from '../Button.tsx';
import {
  cropToBlob,
  largestSquare,
  maxZoom,
  moveSquare,
  zoomSquare,
  type Square,
} from './square.ts';

import styles from './Cropper.module.css';

export type CropperProps = {
  picture: Blob;
  onCrop: (square: Blob) => void;
  /** Called when the browser cannot decode the picture. */
  onUnreadable: () => void;
  busy?: boolean | undefined;
};

type Point = { x: number; y: number };

const wheelStep = 1.1;
const keyStep = 1.15;
/** Distance of an arrow key, as a fraction of the square. */
const keyMove = 0.05;

/** Crops a square from a picture by drag, pinch, wheel or keys. The browser has already applied the EXIF rotation. */
export function Cropper({ picture, onCrop, onUnreadable, busy }: CropperProps) {
  const { t } = useLingui();
  const url = useBlobAddress(picture);
  const image = useRef<HTMLImageElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const pointers = useRef(new Map<number, Point>());
  const [square, setSquare] = useState<Square | null>(null);

  function change(next: (before: Square) => Square): void {
    setSquare((before) => before && next(before));
  }

  const zoomByWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    change((before) => zoomSquare(before, event.deltaY < 0 ? wheelStep : 1 / wheelStep));
  });
  useEffect(() => {
    // React's wheel listener is passive, which would let the page scroll.
    const element = frame.current;
    const listen = (event: WheelEvent) => zoomByWheel(event);
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, []);

  function startDrag(event: PointerEvent<HTMLDivElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  function drag(event: PointerEvent<HTMLDivElement>): void {
    const active = pointers.current;
    const from = active.get(event.pointerId);
    if (!from) return;
    const to = { x: event.clientX, y: event.clientY };
    const other = [...active].find(([id]) => id !== event.pointerId)?.[1];
    const edge = event.currentTarget.clientWidth || 1;
    active.set(event.pointerId, to);
    change((before) => {
      // With two fingers the midpoint moves half as far.
      const share = (other ? 0.5 : 1) / edge;
      const shifted = moveSquare(before, (from.x - to.x) * share, (from.y - to.y) * share);
      return other
        ? zoomSquare(shifted, distance(to, other) / (distance(from, other) || 1))
        : shifted;
    });
  }

  function handleKey(event: KeyboardEvent<HTMLDivElement>): void {
    const steps: Record<string, (before: Square) => Square> = {
      ArrowLeft: (before) => moveSquare(before, -keyMove, 0),
      ArrowRight: (before) => moveSquare(before, keyMove, 0),
      ArrowUp: (before) => moveSquare(before, 0, -keyMove),
      ArrowDown: (before) => moveSquare(before, 0, keyMove),
      '+': (before) => zoomSquare(before, keyStep),
      '=': (before) => zoomSquare(before, keyStep),
      '-': (before) => zoomSquare(before, 1 / keyStep),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    change(step);
  }

  async function crop(): Promise<void> {
    if (!square || !image.current) return;
    const result = await cropToBlob(image.current, square, picture.type === 'image/png');
    if (result) onCrop(result);
    else onUnreadable();
  }

  return (
    <div className={styles.cropper}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles drag, pinch and keys itself */}
      <div
        ref={frame}
        role="application"
        aria-label={t`The part of the picture that is kept. Arrow keys move it, plus and minus zoom.`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys need the focus
        tabIndex={0}
        dir="ltr"
        data-base-ui-swipe-ignore=""
        className={styles.frame}
        onPointerDown={startDrag}
        onPointerMove={drag}
        onPointerUp={(event) => pointers.current.delete(event.pointerId)}
        onPointerCancel={(event) => pointers.current.delete(event.pointerId)}
        onKeyDown={handleKey}
      >
        {url && (
          <img
            ref={image}
            src={url}
            alt=""
            draggable={false}
            className={styles.picture}
            style={square ? pictureStyle(square) : { visibility: 'hidden' }}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSquare(largestSquare(naturalWidth, naturalHeight))
            }
            onError={onUnreadable}
          />
        )}
      </div>
      <p className={styles.hint}>{t`Drag the picture to choose the part that is kept.`}</p>
      <label className={styles.zoom}>
        {t`Zoom`}
        <input
          type="range"
          min={1}
          max={maxZoom}
          step="any"
          value={square ? square.zoom : 1}
          disabled={!square}
          data-base-ui-swipe-ignore=""
          className={styles.range}
          onChange={({ target }) =>
            change((before) => zoomSquare(before, Number(target.value) / before.zoom))
          }
        />
      </label>
      <Button full busy={busy} disabled={!square} onPress={() => void crop()}>
        {t`Use this picture`}
      </Button>
    </div>
  );
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function pictureStyle({ width, x, y, edge }: Square) {
  const share = (length: number) => `${(length / edge) * 100}%`;
  return { inlineSize: share(width), insetInlineStart: share(-x), insetBlockStart: share(-y) };
}
