import { useCallback, useSyncExternalStore } from 'react';

type Shared = { url: string; users: number };

const urls = new Map<Blob, Shared>();

function acquire(blob: Blob): () => void {
  const one = urls.get(blob) ?? { url: URL.createObjectURL(blob), users: 0 };
  one.users += 1;
  urls.set(blob, one);
  return () => {
    one.users -= 1;
    if (one.users > 0) return;
    urls.delete(blob);
    URL.revokeObjectURL(one.url);
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
  return useSyncExternalStore(subscribe, () => (blob && urls.get(blob)?.url) ?? '');
}
