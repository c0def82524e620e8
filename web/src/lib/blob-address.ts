import { useCallback, useSyncExternalStore } from 'react';

type Shared = { address: string; users: number };

const addresses = new Map<Blob, Shared>();

function acquire(blob: Blob): () => void {
  const one = addresses.get(blob) ?? { address: URL.createObjectURL(blob), users: 0 };
  one.users += 1;
  addresses.set(blob, one);
  return () => {
    one.users -= 1;
    if (one.users > 0) return;
    addresses.delete(blob);
    URL.revokeObjectURL(one.address);
  };
}

/** Returns an object URL for a blob, and revokes it when no component uses it. Empty without a blob. */
export function useBlobAddress(blob: Blob | undefined): string {
  const subscribe = useCallback(
    (changed: () => void) => {
      if (!blob) return () => {};
      const release = acquire(blob);
      changed();
      return release;
    },
    [blob],
  );
  return useSyncExternalStore(subscribe, () => (blob && addresses.get(blob)?.address) ?? '');
}
