import type { ReactNode } from 'react';

import { lazyPopup } from './lazyPopup.tsx';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The description, read out with the title. */
  text?: ReactNode;
  children?: ReactNode;
  /** A picture that overlaps the top edge. */
  art?: string | undefined;
  /** Replaces the picture by full-width content above the title. */
  band?: ReactNode;
  /** Stays visible below the scrolling content. */
  foot?: ReactNode;
  /** Buttons, the main one first. */
  actions?: ReactNode;
  /** An alert closes by its buttons only. */
  alert?: boolean | undefined;
  /** Returns the element to focus after closing; null restores the previous focus. */
  focusAfter?: (() => HTMLElement | null) | undefined;
};

export const Dialog = lazyPopup<DialogProps>(() => import('./DialogView.tsx'));
