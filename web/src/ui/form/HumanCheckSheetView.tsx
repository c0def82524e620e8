import { useLingui } from '@lingui/react/macro';

import SheetView from '../SheetView.tsx';
import type { HumanCheckSheetProps } from './HumanCheckSheet.tsx';
import { WidgetFrame } from './WidgetFrame.tsx';

export default function HumanCheckSheetView({
  open,
  onClose,
  widget,
  onPass,
}: HumanCheckSheetProps) {
  const { t } = useLingui();
  return (
    <SheetView open={open} onClose={onClose} title={t`Quick check`}>
      {widget && <WidgetFrame widget={widget} onPass={onPass} />}
    </SheetView>
  );
}
