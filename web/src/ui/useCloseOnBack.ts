import { useEffect, useEffectEvent } from 'react';

import { onStepBack } from '../lib/layers.ts';

/** Makes the back button close an overlay instead of leaving the screen. */
export function useCloseOnBack(open: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => (open ? onStepBack(() => close()) : undefined), [open]);
}
