import { useCallback, useSyncExternalStore } from 'react';

type Held = { address: string; users: number };

const held = new Map<Blob, Held>();

function hold(blob: Blob): () => void {
  const one = held.get(blob) ?? { address: URL.createObjectURL(blob), users: 0 };
  one.users += 1;
  held.set(blob, one);
  return () => {
    one.users -= 1;
    if (one.users > 0) return;
    held.delete(blob);
    URL.revokeObjectURL(one.address);
  };
}

/** An address that an image can show a blob by, given back when nothing shows it any more. Empty without a blob. */
export function useBlobAddress(blob: Blob | undefined): string {
  const subscribe = useCallback(
    (changed: () => void) => {
      if (!blob) return () => {};
      const release = hold(blob);
      changed();
      return release;
    },
    [blob],
  );
  return useSyncExternalStore(subscribe, () => (blob && held.get(blob)?.address) ?? '');
}
