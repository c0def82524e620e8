// Renders a part of the app with a new query cache without retries, and with the English source texts.
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, type RenderResult } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect } from 'vitest';

import { onLayer } from '../layers.ts';

type Rendered = RenderResult & { cache: QueryClient };

export function renderScreen(element: ReactElement): Rendered {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return renderSpoken(element);
}

/** Renders with the current language and its real messages. */
export function renderSpoken(element: ReactElement): Rendered {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const result = render(
    <QueryClientProvider client={cache}>
      <I18nProvider i18n={i18n}>{element}</I18nProvider>
    </QueryClientProvider>,
  );
  return { ...result, cache };
}

/** Unmounts the screen of the previous test and waits until its layers have removed their history steps. */
export async function clearScreen(): Promise<void> {
  cleanup();
  await expect.poll(() => onLayer()).toBe(false);
}
