import { useLingui } from '@lingui/react/macro';

import SheetView from '../SheetView.tsx';
import { SliderPuzzle } from './SliderPuzzle.tsx';
import type { SliderSheetProps } from './SliderSheet.tsx';
import { WidgetFrame } from './WidgetFrame.tsx';

export default function SliderSheetView(props: SliderSheetProps) {
  const { open, onClose, onPass, challenge } = props;
  const { t } = useLingui();
  return (
    <SheetView open={open} onClose={onClose} title={t`Quick check`}>
      {challenge.widget ? (
        <WidgetFrame widget={challenge.widget} onPass={onPass} />
      ) : (
        <SliderPuzzle challenge={challenge} onPass={onPass} />
      )}
    </SheetView>
  );
}
