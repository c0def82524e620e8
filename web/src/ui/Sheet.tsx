import type { ReactNode } from 'react';

import { lazyPopup } from './lazyPopup.tsx';

export type SheetProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** `start` slides in from the start edge, as a menu. */
  side?: 'bottom' | 'start' | undefined;
  children: ReactNode;
  footer?: ReactNode;
  /** Replaces the visible title. Screen readers still get the title. */
  header?: ReactNode;
};

/** A panel that closes by drag, button, scrim or Escape. */
export const Sheet = lazyPopup<SheetProps>(() => import('./SheetView.tsx'));
