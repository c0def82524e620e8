import { useQuery, type UseQueryResult } from '@tanstack/react-query';

import { request } from '../server/request.ts';

const withoutQuery = (path: unknown): unknown =>
  typeof path === 'string' ? path.split('?')[0] : path;

/**
 * Reads one object, such as `/ops/v1/members/17`. While another query of the same path loads, the data before it stays visible. The data
 * of another object never does.
 */
export const useObject = <T>(path: string): UseQueryResult<T> =>
  useQuery({
    queryKey: ['object', path],
    queryFn: () => request<T>('GET', path),
    placeholderData: (previous, previousQuery) =>
      withoutQuery(previousQuery?.queryKey[1]) === withoutQuery(path) ? previous : undefined,
  });
