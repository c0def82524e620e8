import { QueryCache, QueryClient } from '@tanstack/react-query';

import { statusQuery } from '../api/system.ts';
import { ApiError } from '../i18n/api-error.ts';

const maxRetries = 1;

/** Retries requests that did not reach the server, and server errors. */
function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= maxRetries || !navigator.onLine) return false;
  return error instanceof ApiError && (error.unreachable || error.status >= 500);
}

/** The error codes that a closed site returns. The site's status has the details. */
const siteClosedCodes: ReadonlySet<string> = new Set(['system.maintenance', 'system.restricted']);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (error instanceof ApiError && siteClosedCodes.has(error.code))
        void queryClient.invalidateQueries({ queryKey: statusQuery.queryKey });
    },
  }),
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay: 500,
      // Offline requests fail at once instead of waiting for the network.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});
