import type { Widget } from '../../lib/widget/messages.ts';
import { lazyPopup } from '../lazyPopup.tsx';

/** All lengths are pixels of the picture. */
export type Puzzle = {
  id: string;
  background: string;
  piece: string;
  width: number;
  height: number;
  pieceWidth: number;
  pieceHeight: number;
  pieceY: number;
  expiresIn: number;
};

/** The server calls of the check. An accepted answer resolves to the pass that the form sends. */
export type Challenge = {
  /** A third-party check that replaces the puzzle. */
  widget?: Widget | undefined;
  puzzle: () => Promise<Puzzle>;
  slide: (id: string, x: number) => Promise<string>;
  /** Returns the error message for a failure. */
  explain: (failure: unknown) => string;
};

export type SliderSheetProps = {
  open: boolean;
  onClose: () => void;
  onPass: (pass: string) => void;
  challenge: Challenge;
};

/** A human check: a puzzle to slide. Arrow keys move its piece too. */
export const SliderSheet = lazyPopup<SliderSheetProps>(() => import('./SliderSheetView.tsx'));
