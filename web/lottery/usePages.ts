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

type PageRequest = { key: string; cursor: string };

type State<T> = {
  request: PageRequest;
  list: T[] | undefined;
  next: string;
  error: Error | null;
};

/** Loads a list page by page. A new key starts with the first page. */
export function usePages<T>(key: string, load: (cursor: string) => Promise<Page<T>>): Pages<T> {
  const [state, setState] = useState<State<T> | null>(null);
  const [request, setRequest] = useState<PageRequest>({ key, cursor: '' });
  if (request.key !== key) setRequest({ key, cursor: '' });
  const loadPage = useEffectEvent(load);

  useEffect(() => {
    const { cursor } = request;
    let isCurrent = true;
    const finish = (change: (old: State<T>) => State<T>) => {
      if (!isCurrent) return;
      const none = { request, list: undefined, next: '', error: null };
      setState((old) => change(old?.request.key === request.key ? old : none));
    };
    loadPage(cursor).then(
      ({ list, next }) =>
        finish((old) => ({
          request,
          list: cursor ? [...(old.list ?? []), ...list] : list,
          next,
          error: null,
        })),
      (thrown: unknown) => {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        finish(({ list, next }) => ({ request, list, next, error }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [request]);

  const current = state?.request.key === key ? state : null;
  const isFetching = current?.request !== request;
  return {
    data: current?.list,
    error: current?.error ?? null,
    isFetching,
    hasMore: current !== null && current.next !== '',
    more: () => {
      if (!isFetching) setRequest({ key, cursor: current?.next ?? '' });
    },
    refetch: async () => setRequest({ key, cursor: '' }),
  };
}
