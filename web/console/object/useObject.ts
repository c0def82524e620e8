import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';

import { request } from '../server/request.ts';

/** Reads one object, such as `/ops/v1/members/17`. */
export const useObject = <T>(path: string): UseQueryResult<T> =>
  useQuery({
    queryKey: ['object', path],
    queryFn: () => request<T>('GET', path),
    placeholderData: keepPreviousData,
  });
