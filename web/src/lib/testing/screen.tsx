// Renders a part of the app with its data layer: a cache of its own, requests that fail at once, and the
// app's one language object, here with the English source texts.
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactElement } from 'react';

export function renderScreen(element: ReactElement): RenderResult & { cache: QueryClient } {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const result = render(
    <QueryClientProvider client={cache}>
      <I18nProvider i18n={i18n}>{element}</I18nProvider>
    </QueryClientProvider>,
  );
  return { ...result, cache };
}
