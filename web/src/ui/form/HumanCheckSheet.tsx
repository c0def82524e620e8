import { useState, type ReactNode } from 'react';

import type { Widget } from '../../lib/widget/messages.ts';
import { lazyPopup } from '../lazyPopup.tsx';

export type HumanCheckSheetProps = {
  open: boolean;
  onClose: () => void;
  widget: Widget | null;
  onPass: (proof: string) => void;
};

const HumanCheckSheet = lazyPopup<HumanCheckSheetProps>(() => import('./HumanCheckSheetView.tsx'));

/** Shows a third-party human check. Resolves to its proof, or null if the member closed the sheet. */
export type AskPerson = (widget: Widget) => Promise<string | null>;

/** Returns the check and the sheet to render at the end of a form. */
export function usePersonSheet(): { ask: AskPerson; sheet: ReactNode } {
  const [asked, setAsked] = useState<{ widget: Widget; answer: (proof: string | null) => void }>();

  function settle(proof: string | null): void {
    asked?.answer(proof);
    setAsked(undefined);
  }

  return {
    ask: (widget) => new Promise((answer) => setAsked({ widget, answer })),
    sheet: (
      <HumanCheckSheet
        open={asked !== undefined}
        onClose={() => settle(null)}
        widget={asked?.widget ?? null}
        onPass={settle}
      />
    ),
  };
}
