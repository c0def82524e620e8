import { useEffect, useEffectEvent, useState } from 'react';

import type { Page } from './wire.ts';

export type Pages<T> = {
  data: T[] | undefined;
  error: Error | null;
  isFetching: boolean;
  hasMore: boolean;
  more: () => void;
  /** Loads the first page again. */
  refetch: () => Promise<void>;
};

/** Loads a list page by page. A new key starts again. */
export function usePages<T>(key: string, load: (cursor: string) => Promise<Page<T>>): Pages<T> {
  const [state, setState] = useState<{
    key: string;
    list: T[] | undefined;
    next: string;
    error: Error | null;
    busy: boolean;
  }>({ key, list: undefined, next: '', error: null, busy: true });

  const read = useEffectEvent(async (started: string, cursor: string, before: T[]) => {
    setState((old) => ({
      ...(old.key === started ? old : { list: undefined, next: '' }),
      key: started,
      error: null,
      busy: true,
    }));
    try {
      const page = await load(cursor);
      setState((old) =>
        old.key === started
          ? { ...old, list: [...before, ...page.list], next: page.next, busy: false }
          : old,
      );
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      setState((old) => (old.key === started ? { ...old, error, busy: false } : old));
    }
  });
  const [request, setRequest] = useState<{ cursor: string; before: T[]; count: number }>({
    cursor: '',
    before: [],
    count: 0,
  });
  const [lastKey, setLastKey] = useState(key);
  if (lastKey !== key) {
    setLastKey(key);
    setRequest({ cursor: '', before: [], count: 0 });
  }
  useEffect(() => {
    void read(key, request.cursor, request.before);
  }, [key, request]);

  const isCurrent = state.key === key;
  const list = isCurrent ? state.list : undefined;
  return {
    data: list,
    error: isCurrent ? state.error : null,
    isFetching: !isCurrent || state.busy,
    hasMore: isCurrent && state.next !== '',
    more: () => {
      if (!state.busy)
        setRequest({ cursor: state.next, before: list ?? [], count: request.count + 1 });
    },
    refetch: async () => setRequest({ cursor: '', before: [], count: request.count + 1 }),
  };
}
