import { useEffect, useEffectEvent } from 'react';

import { holdBack } from '../lib/layers.ts';

/** While something is open over the screen, a step back closes it instead of leaving the screen. */
export function useBackCloses(open: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => (open ? holdBack(() => close()) : undefined), [open]);
}
