import { QueryClient } from '@tanstack/react-query';

import { ApiError } from '../api/error.ts';

const mostRetries = 1;

/** Only what never reached the server, or what the server could not do just now, is tried again. */
function worthRetrying(failures: number, error: Error): boolean {
  if (failures >= mostRetries || !navigator.onLine) return false;
  return error instanceof ApiError && (error.unreachable || error.status >= 500);
}

export const queryClient = new QueryClient({
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
