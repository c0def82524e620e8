import type { ReactNode } from 'react';

import { lazyPopup } from './lazyPopup.tsx';

export type SheetProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** bottom rises from below; start slides in from where lines begin, as a menu does. */
  side?: 'bottom' | 'start' | undefined;
  children: ReactNode;
  /** Stays in sight below the content. */
  footer?: ReactNode;
  /** Instead of the title, which is then only read out. */
  header?: ReactNode;
};

/** A panel over the screen, closed by dragging it away, by its button, by the scrim or by Escape. */
export const Sheet = lazyPopup<SheetProps>(() => import('./SheetView.tsx'));
