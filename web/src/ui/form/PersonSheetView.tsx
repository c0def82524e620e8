import { useLingui } from '@lingui/react/macro';

import SheetView from '../SheetView.tsx';
import type { PersonSheetProps } from './PersonSheet.tsx';
import { WidgetFrame } from './WidgetFrame.tsx';

export default function PersonSheetView({ open, onClose, widget, onPass }: PersonSheetProps) {
  const { t } = useLingui();
  return (
    <SheetView open={open} onClose={onClose} title={t`Quick check`}>
      {widget && <WidgetFrame widget={widget} onPass={onPass} />}
    </SheetView>
  );
}
