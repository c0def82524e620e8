import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';

import { queryClient } from './queryClient.ts';
import { Shell } from './Shell.tsx';
import { ShellBoundary } from './ShellBoundary.tsx';

export function App() {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <I18nProvider i18n={i18n}>
          <ShellBoundary>
            <Shell />
          </ShellBoundary>
        </I18nProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
