import { useLingui } from '@lingui/react/macro';
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
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
  /** The control that switches to another check. */
  otherWay: ReactNode;
};

/** Distance of an arrow key without and with Shift, in picture pixels. */
const step = 4;
const fineStep = 1;
/** How long the result stays visible. */
const joy = 400;
const shake = 240;

type Failed = { round: number; name: 'failed'; why: string };
type Ready = {
  round: number;
  name: 'open' | 'checking' | 'missed' | 'passed';
  puzzle: Puzzle;
  until: number;
};
type State = Failed | Ready;

/** A puzzle piece that is moved into its gap by drag or arrow keys. */
export function SliderPuzzle({ challenge, onPass, otherWay }: SliderPuzzleProps) {
  const { t } = useLingui();
  const [round, setRound] = useState(0);
  const [last, setState] = useState<State | null>(null);
  const [x, setX] = useState(0);
  const [note, setNote] = useState('');
  const state = last?.round === round ? last : null;
  const ready = state && state.name !== 'failed' ? state : null;
  const seconds = useSecondsLeft(ready?.until ?? 0);

  const load = useEffectEvent(() => challenge.puzzle());
  const explain = useEffectEvent(challenge.explain);
  useEffect(() => {
    let current = true;
    async function begin(): Promise<void> {
      let next: State;
      try {
        const puzzle = await load();
        next = { round, name: 'open', puzzle, until: Date.now() + puzzle.expiresIn * 1000 };
      } catch (thrown) {
        next = { round, name: 'failed', why: explain(thrown) };
      }
      if (current) setState(next);
    }
    void begin();
    return () => {
      current = false;
    };
  }, [round]);

  // The server rejects an expired puzzle.
  const waiting = state?.name === 'open' ? state.until : null;
  const expire = useEffectEvent(renew);
  useEffect(() => {
    if (waiting === null) return;
    const timer = setTimeout(expire, waiting - Date.now());
    return () => clearTimeout(timer);
  }, [waiting]);

  function renew(): void {
    setX(0);
    setRound(round + 1);
  }

  async function answer(open: Ready): Promise<void> {
    setState({ ...open, name: 'checking' });
    try {
      const pass = await challenge.slide(open.puzzle.id, Math.round(x));
      setState({ ...open, name: 'passed' });
      setNote(t`Done`);
      setTimeout(onPass, joy, pass);
    } catch (thrown) {
      setNote(challenge.explain(thrown));
      setState({ ...open, name: 'missed' });
      setTimeout(renew, shake);
    }
  }

  return (
    <div className={styles.way}>
      <div className={styles.head}>
        <p className={styles.lead}>{t`Drag the piece into the gap of the picture.`}</p>
        <IconButton icon="arrow-clockwise" label={t`Another picture`} onPress={renew} />
      </div>
      {!state && <Skeleton shape="box" height={260} />}
      {state?.name === 'failed' && <ErrorRetry detail={state.why} onRetry={renew} answered />}
      {ready && (
        <Board
          puzzle={ready.puzzle}
          x={x}
          look={ready.name}
          onSlide={setX}
          onLetGo={() => void answer(ready)}
        />
      )}
      <p role="status" className={cx(styles.note, state?.name === 'passed' && styles.good)}>
        {note}
      </p>
      <div className={styles.foot}>
        <span className={styles.time}>
          <Icon name="timer" size={16} />
          {state?.name === 'open' && t`${seconds} s left`}
        </span>
        {otherWay}
      </div>
    </div>
  );
}

type BoardProps = {
  puzzle: Puzzle;
  x: number;
  look: 'open' | 'checking' | 'missed' | 'passed';
  onSlide: (x: number) => void;
  onLetGo: () => void;
};

// The piece moves from left to right in every language, as in the picture.
function Board({ puzzle, x, look, onSlide, onLetGo }: BoardProps) {
  const { t } = useLingui();
  const track = useRef<HTMLDivElement>(null);
  const grip = useRef<{ at: number; from: number; room: number } | null>(null);
  const room = puzzle.width - puzzle.pieceWidth;
  const share = x / room;
  const still = look !== 'open';
  const within = (value: number) => Math.min(room, Math.max(0, value));

  function take(event: PointerEvent<HTMLDivElement>): void {
    if (still || !track.current) return;
    const thumb = event.currentTarget;
    thumb.setPointerCapture(event.pointerId);
    const space = track.current.clientWidth - thumb.offsetWidth;
    grip.current = { at: event.clientX, from: x, room: Math.max(1, space) };
  }

  function drag(event: PointerEvent): void {
    const held = grip.current;
    if (held) onSlide(within(held.from + ((event.clientX - held.at) / held.room) * room));
  }

  function letGo(): void {
    if (!grip.current) return;
    grip.current = null;
    // A touch without movement is not an answer.
    if (x > 0) onLetGo();
  }

  function cancel(): void {
    grip.current = null;
    onSlide(0);
  }

  function press(event: KeyboardEvent): void {
    if (still) return;
    const by = event.shiftKey ? fineStep : step;
    if (event.key === 'Enter' && x > 0) onLetGo();
    else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') onSlide(within(x + by));
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') onSlide(within(x - by));
    else if (event.key === 'Home') onSlide(0);
    else if (event.key === 'End') onSlide(room);
    else return;
    event.preventDefault();
  }

  return (
    <div dir="ltr" className={cx(styles.board, styles[look])} data-base-ui-swipe-ignore="">
      <div className={styles.picture} style={{ aspectRatio: `${puzzle.width} / ${puzzle.height}` }}>
        <img src={puzzle.background} alt="" className={styles.background} draggable={false} />
        <img
          src={puzzle.piece}
          alt=""
          draggable={false}
          className={styles.piece}
          style={{
            inlineSize: part(puzzle.pieceWidth, puzzle.width),
            insetBlockStart: part(puzzle.pieceY, puzzle.height),
            insetInlineStart: part(x, puzzle.width),
          }}
        />
      </div>
      <div ref={track} className={styles.track} style={{ '--share': share }}>
        <span aria-hidden="true" className={styles.path} />
        <span aria-hidden="true" className={styles.say}>
          {t`Drag to the right`}
        </span>
        <div
          role="slider"
          tabIndex={0}
          aria-label={t`Place of the piece: arrow keys move it, Enter lets go`}
          aria-valuemin={0}
          aria-valuemax={room}
          aria-valuenow={Math.round(x)}
          aria-disabled={still || undefined}
          className={styles.thumb}
          onPointerDown={take}
          onPointerMove={drag}
          onPointerUp={letGo}
          onPointerCancel={cancel}
          onKeyDown={press}
        >
          <Icon name={look === 'passed' ? 'check-bold' : 'caret-right-bold'} size={20} />
        </div>
      </div>
    </div>
  );
}

const part = (length: number, of: number) => `${(length / of) * 100}%`;
