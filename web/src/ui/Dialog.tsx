import type { ReactNode } from 'react';

import { lazyPopup } from './lazyPopup.tsx';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** A sentence under the title, read out with it. */
  text?: ReactNode;
  children?: ReactNode;
  /** A picture that stands over the upper edge. */
  art?: string | undefined;
  /** Drawn from edge to edge over the title, in place of the picture; the words then begin where lines do. */
  band?: ReactNode;
  /** Stays in sight below all else. */
  foot?: ReactNode;
  /** Buttons below one another, the main one first. */
  actions?: ReactNode;
  /** An alert must be answered: touching beside it does not close it. */
  alert?: boolean | undefined;
  /** Where the focus goes when it closes; null is where it was before. */
  focusAfter?: (() => HTMLElement | null) | undefined;
};

/** A message or question in the middle of the screen. Holds the focus, and gives it back. */
export const Dialog = lazyPopup<DialogProps>(() => import('./DialogView.tsx'));
