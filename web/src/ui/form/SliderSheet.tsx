import type { Widget } from '../../lib/widget/messages.ts';
import { lazyPopup } from '../lazyPopup.tsx';

/** A picture with a gap, and the piece that fits it. All lengths are pixels of the picture. */
export type Puzzle = {
  id: string;
  background: string;
  piece: string;
  width: number;
  height: number;
  pieceWidth: number;
  pieceHeight: number;
  pieceY: number;
  /** Seconds. */
  expiresIn: number;
};

/** Where puzzles come from and answers go. Each answer gives the pass that goes with the form. */
export type Challenge = {
  /** Another's widget, in place of the puzzle. */
  widget?: Widget | undefined;
  puzzle: () => Promise<Puzzle>;
  slide: (id: string, x: number) => Promise<string>;
  /** The other way, for those who cannot slide: a picture to read. */
  picture: () => Promise<string>;
  code: (answer: string) => Promise<string>;
  /** What to tell about a failure of any of these. */
  explain: (failure: unknown) => string;
};

export type SliderSheetProps = {
  open: boolean;
  onClose: () => void;
  onPass: (pass: string) => void;
  challenge: Challenge;
};

/** Asks for a sign that a person is there: a piece to slide into its gap, or a code to type. */
export const SliderSheet = lazyPopup<SliderSheetProps>(() => import('./SliderSheetView.tsx'));
