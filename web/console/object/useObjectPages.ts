import { useInfiniteQuery } from '@tanstack/react-query';

import { request, type Query } from '../server/request.ts';

/**
 * Reads records of an object page by page, newest first. `nextOf` returns the query of the page after a page, or undefined after the last.
 * A change on the server reloads all pages that were loaded.
 */
export const useObjectPages = <T>(path: string, nextOf: (page: T) => Query | undefined) =>
  useInfiniteQuery({
    queryKey: ['object', path, 'pages'],
    queryFn: ({ pageParam }) => request<T>('GET', path, { query: pageParam }),
    initialPageParam: {},
    getNextPageParam: nextOf,
  });
