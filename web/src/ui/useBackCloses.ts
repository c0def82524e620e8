import { useEffect, useEffectEvent } from 'react';

import { onStepBack } from '../lib/layers.ts';

/** While something is open over the screen, a step back closes it instead of leaving the screen. */
export function useBackCloses(open: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => (open ? onStepBack(() => close()) : undefined), [open]);
}
