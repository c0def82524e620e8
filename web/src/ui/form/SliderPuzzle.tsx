import { useLingui } from '@lingui/react/macro';
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';

import { cx } from '../../lib/cx.ts';
import { ErrorRetry } from '../ErrorRetry.tsx';
import { Icon } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import { Skeleton } from '../Skeleton.tsx';
import { useSecondsLeft } from './countdown.ts';
import type { Challenge, Puzzle } from './SliderSheet.tsx';

import styles from './SliderSheet.module.css';

type SliderPuzzleProps = {
  challenge: Challenge;
  onPass: (pass: string) => void;
};

/** Distance of an arrow key without and with Shift, in picture pixels. */
const step = 4;
const fineStep = 1;
/** How long the result stays visible. */
const passedMs = 400;
const missedMs = 240;

type Failed = { attempt: number; status: 'failed'; why: string };
type Ready = {
  attempt: number;
  status: 'open' | 'checking' | 'missed' | 'passed';
  puzzle: Puzzle;
  expiresAt: number;
};
type State = Failed | Ready;

export function SliderPuzzle({ challenge, onPass }: SliderPuzzleProps) {
  const { t } = useLingui();
  const [attempt, setAttempt] = useState(0);
  const [latest, setState] = useState<State | null>(null);
  const [x, setX] = useState(0);
  const [note, setNote] = useState('');
  const state = latest?.attempt === attempt ? latest : null;
  const ready = state && state.status !== 'failed' ? state : null;
  const seconds = useSecondsLeft(ready?.expiresAt ?? 0);

  const load = useEffectEvent(() => challenge.puzzle());
  const explain = useEffectEvent(challenge.explain);
  useEffect(() => {
    let current = true;
    async function loadPuzzle(): Promise<void> {
      let next: State;
      try {
        const puzzle = await load();
        next = { attempt, status: 'open', puzzle, expiresAt: Date.now() + puzzle.expiresIn * 1000 };
      } catch (thrown) {
        next = { attempt, status: 'failed', why: explain(thrown) };
      }
      if (current) setState(next);
    }
    void loadPuzzle();
    return () => {
      current = false;
    };
  }, [attempt]);

  // The server rejects an expired puzzle.
  const expiresAt = state?.status === 'open' ? state.expiresAt : null;
  const expire = useEffectEvent(loadNext);
  useEffect(() => {
    if (expiresAt === null) return;
    const timer = setTimeout(expire, expiresAt - Date.now());
    return () => clearTimeout(timer);
  }, [expiresAt]);

  function loadNext(): void {
    setX(0);
    setAttempt(attempt + 1);
  }

  async function answer(open: Ready): Promise<void> {
    setState({ ...open, status: 'checking' });
    try {
      const pass = await challenge.slide(open.puzzle.id, Math.round(x));
      setState({ ...open, status: 'passed' });
      setNote(t`Done`);
      setTimeout(onPass, passedMs, pass);
    } catch (thrown) {
      setNote(challenge.explain(thrown));
      setState({ ...open, status: 'missed' });
      setTimeout(loadNext, missedMs);
    }
  }

  return (
    <div className={styles.check}>
      <div className={styles.head}>
        <p className={styles.lead}>{t`Drag the piece into the gap of the picture.`}</p>
        <IconButton icon="arrow-clockwise" label={t`Another picture`} onPress={loadNext} />
      </div>
      {!state && <Skeleton shape="box" height={260} />}
      {state?.status === 'failed' && <ErrorRetry detail={state.why} onRetry={loadNext} answered />}
      {ready && (
        <Board
          puzzle={ready.puzzle}
          x={x}
          status={ready.status}
          onSlide={setX}
          onRelease={() => void answer(ready)}
        />
      )}
      <p role="status" className={cx(styles.note, state?.status === 'passed' && styles.good)}>
        {note}
      </p>
      <div className={styles.foot}>
        <span className={styles.time}>
          <Icon name="timer" size={16} />
          {state?.status === 'open' && t`${seconds} s left`}
        </span>
      </div>
    </div>
  );
}

type BoardProps = {
  puzzle: Puzzle;
  x: number;
  status: 'open' | 'checking' | 'missed' | 'passed';
  onSlide: (x: number) => void;
  onRelease: () => void;
};

// The piece moves from left to right in every language, as in the picture.
function Board({ puzzle, x, status, onSlide, onRelease }: BoardProps) {
  const { t } = useLingui();
  const track = useRef<HTMLDivElement>(null);
  const dragStart = useRef<{ pointerX: number; x: number; trackPx: number } | null>(null);
  const maxX = puzzle.width - puzzle.pieceWidth;
  const progress = x / maxX;
  const locked = status !== 'open';
  const clamp = (value: number) => Math.min(maxX, Math.max(0, value));

  function startDrag(event: PointerEvent<HTMLDivElement>): void {
    if (locked || !track.current) return;
    const thumb = event.currentTarget;
    thumb.setPointerCapture(event.pointerId);
    const trackPx = track.current.clientWidth - thumb.offsetWidth;
    dragStart.current = { pointerX: event.clientX, x, trackPx: Math.max(1, trackPx) };
  }

  function drag(event: PointerEvent): void {
    const start = dragStart.current;
    if (start) onSlide(clamp(start.x + ((event.clientX - start.pointerX) / start.trackPx) * maxX));
  }

  function endDrag(): void {
    if (!dragStart.current) return;
    dragStart.current = null;
    // A touch without movement is not an answer.
    if (x > 0) onRelease();
  }

  function cancel(): void {
    dragStart.current = null;
    onSlide(0);
  }

  function handleKey(event: KeyboardEvent): void {
    if (locked) return;
    const by = event.shiftKey ? fineStep : step;
    if (event.key === 'Enter' && x > 0) onRelease();
    else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') onSlide(clamp(x + by));
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') onSlide(clamp(x - by));
    else if (event.key === 'Home') onSlide(0);
    else if (event.key === 'End') onSlide(maxX);
    else return;
    event.preventDefault();
  }

  return (
    <div dir="ltr" className={cx(styles.board, styles[status])} data-base-ui-swipe-ignore="">
      <div className={styles.picture} style={{ aspectRatio: `${puzzle.width} / ${puzzle.height}` }}>
        <img src={puzzle.background} alt="" className={styles.background} draggable={false} />
        <img
          src={puzzle.piece}
          alt=""
          draggable={false}
          className={styles.piece}
          style={{
            inlineSize: percent(puzzle.pieceWidth, puzzle.width),
            insetBlockStart: percent(puzzle.pieceY, puzzle.height),
            insetInlineStart: percent(x, puzzle.width),
          }}
        />
      </div>
      <div ref={track} className={styles.track} style={{ '--progress': progress }}>
        <span aria-hidden="true" className={styles.path} />
        <span aria-hidden="true" className={styles.hint}>
          {t`Drag to the right`}
        </span>
        <div
          role="slider"
          tabIndex={0}
          aria-label={t`Place of the piece: arrow keys move it, Enter lets go`}
          aria-valuemin={0}
          aria-valuemax={maxX}
          aria-valuenow={Math.round(x)}
          aria-disabled={locked || undefined}
          className={styles.thumb}
          onPointerDown={startDrag}
          onPointerMove={drag}
          onPointerUp={endDrag}
          onPointerCancel={cancel}
          onKeyDown={handleKey}
        >
          <Icon name={status === 'passed' ? 'check-bold' : 'caret-right-bold'} size={20} />
        </div>
      </div>
    </div>
  );
}

const percent = (length: number, of: number) => `${(length / of) * 100}%`;
