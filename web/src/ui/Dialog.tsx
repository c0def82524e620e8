import type { ReactNode } from 'react';

import { lazyPopup } from './lazyPopup.tsx';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  text?: ReactNode;
  children?: ReactNode;
  art?: string | undefined;
  /** Replaces the picture by full-width content above the title. */
  band?: ReactNode;
  foot?: ReactNode;
  actions?: ReactNode;
  /** An alert closes by its buttons only. */
  alert?: boolean | undefined;
  /** Returns the element to focus after closing; null restores the previous focus. */
  focusAfter?: (() => HTMLElement | null) | undefined;
};

export const Dialog = lazyPopup<DialogProps>(() => import('./DialogView.tsx'));
