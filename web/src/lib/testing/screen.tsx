// Renders a part of the app with its data layer: a cache of its own, requests that fail at once, and the
// app's one language object, here with the English source texts.
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

/** As renderScreen, in the language that was chosen, with its real words. */
export function renderSpoken(element: ReactElement): Rendered {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const result = render(
    <QueryClientProvider client={cache}>
      <I18nProvider i18n={i18n}>{element}</I18nProvider>
    </QueryClientProvider>,
  );
  return { ...result, cache };
}

/** Takes away the screen of the test before. What lay over it gives its step of the history back a moment later. */
export async function clearScreen(): Promise<void> {
  cleanup();
  await expect.poll(() => onLayer()).toBe(false);
}
