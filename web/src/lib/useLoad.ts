import { useCallback, useEffect, useEffectEvent, useState } from 'react';

export type Loaded<T> = {
  data: T | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => Promise<void>;
};

type State<T> = { key: string; request: number; data: T | undefined; error: Error | null };

/** Loads a value, and loads it again when the key changes. A refetch keeps the old data until it ends. */
export function useLoad<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<State<T> | null>(null);
  const [request, setRequest] = useState(0);
  const loadNow = useEffectEvent(load);

  useEffect(() => {
    // An old response must not replace a newer one.
    let isCurrent = true;
    loadNow().then(
      // oxlint-disable-next-line promise/always-return -- nothing follows
      (data) => {
        if (isCurrent) setState({ key, request, data, error: null });
      },
      (thrown: unknown) => {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (!isCurrent) return;
        setState((old) => ({ key, request, data: old?.key === key ? old.data : undefined, error }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, request]);

  const current = state?.key === key ? state : null;
  return {
    data: current?.data,
    error: current?.error ?? null,
    isFetching: current?.request !== request,
    refetch: useCallback(async () => setRequest((count) => count + 1), []),
  };
}
