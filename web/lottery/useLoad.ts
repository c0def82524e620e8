import { useCallback, useEffect, useRef, useState } from 'react';

export type Loaded<T> = {
  data: T | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => Promise<void>;
};

/** Loads a value, and loads it again when the key changes. Old data of the same key stays while it is loaded again. */
export function useLoad<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; error: Error | null; busy: boolean }>(
    { key, error: null, busy: true },
  );
  const latest = useRef({ key, load });
  latest.current = { key, load };

  const refetch = useCallback(async () => {
    const { key: started, load: loadNow } = latest.current;
    setState((old) => ({
      ...(old.key === started ? old : { key: started, error: null }),
      busy: true,
    }));
    try {
      const data = await loadNow();
      if (latest.current.key === started)
        setState({ key: started, data, error: null, busy: false });
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (latest.current.key === started) setState((old) => ({ ...old, error, busy: false }));
    }
  }, []);

  useEffect(() => {
    void refetch();
  }, [key, refetch]);

  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : null,
    isFetching: !isCurrent || state.busy,
    refetch,
  };
}
