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
export type CheckHuman = (widget: Widget) => Promise<string | null>;

/** Returns the check and the sheet to render at the end of a form. */
export function useHumanCheck(): { check: CheckHuman; sheet: ReactNode } {
  const [request, setRequest] = useState<{
    widget: Widget;
    resolve: (proof: string | null) => void;
  }>();

  function finish(proof: string | null): void {
    request?.resolve(proof);
    setRequest(undefined);
  }

  return {
    check: (widget) => new Promise((resolve) => setRequest({ widget, resolve })),
    sheet: (
      <HumanCheckSheet
        open={request !== undefined}
        onClose={() => finish(null)}
        widget={request?.widget ?? null}
        onPass={finish}
      />
    ),
  };
}
