import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Router } from 'wouter';

import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Shell } from './layout/Shell.tsx';
import { LoginScreen } from './screens/LoginScreen.tsx';
import { NewPasswordScreen } from './screens/NewPassword.tsx';
import { createQueryClient, operatorKey, sessionQuery } from './server/queries.ts';
import { ServerError } from './server/request.ts';
import { FailedState, LoadingState } from './states.tsx';
import { Theme } from './Theme.tsx';

export function App() {
  const [queryClient] = useState(createQueryClient);
  return (
    <I18nProvider i18n={i18n}>
      <Theme>
        <QueryClientProvider client={queryClient}>
          <Notifications />
          <ErrorBoundary>
            <Router base="/console">
              <Session />
            </Router>
          </ErrorBoundary>
        </QueryClientProvider>
      </Theme>
    </I18nProvider>
  );
}

/**
 * Shows the console to operators with a session and a password of their own, and the login to all others. When a session ends, the console
 * stays mounted but hidden, so that the same operator finds what they typed after the login.
 */
export function Session() {
  const { data, error, refetch, isFetching } = useQuery(sessionQuery);
  const isRefused = error instanceof ServerError && error.status >= 400 && error.status < 500;
  if (!data) {
    if (isRefused) return <LoginScreen />;
    if (!error) return <LoadingState />;
    return <FailedState error={error} busy={isFetching} onRetry={() => void refetch()} />;
  }
  if (data.mustChangePassword) return isRefused ? <LoginScreen /> : <NewPasswordScreen />;
  return (
    <>
      {isRefused && <LoginScreen />}
      <div key={operatorKey(data)} hidden={isRefused} inert={isRefused} data-console="">
        <Shell operator={data} isLocked={isRefused} />
      </div>
    </>
  );
}
