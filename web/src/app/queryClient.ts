import { QueryCache, QueryClient } from '@tanstack/react-query';

import { statusQuery } from '../api/system.ts';
import { ApiError } from '../i18n/api-error.ts';

const mostRetries = 1;

/** Only what never reached the server, or what the server could not do just now, is tried again. */
function worthRetrying(failures: number, error: Error): boolean {
  if (failures >= mostRetries || !navigator.onLine) return false;
  return error instanceof ApiError && (error.unreachable || error.status >= 500);
}

/** What a site that has closed meanwhile answers: its status tells the rest. */
const closing: ReadonlySet<string> = new Set(['system.maintenance', 'system.restricted']);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (error instanceof ApiError && closing.has(error.code))
        void queryClient.invalidateQueries({ queryKey: statusQuery.queryKey });
    },
  }),
  defaultOptions: {
    queries: {
      retry: worthRetrying,
      retryDelay: 500,
      // Offline requests fail at once and say so, instead of waiting in silence.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});
