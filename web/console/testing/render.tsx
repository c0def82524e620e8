// Renders a component of the console with the English source texts.
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Router } from 'wouter';

import { Confirmation } from '../action/Confirmation.tsx';
import { createQueryClient, sessionQuery } from '../server/queries.ts';
import { Theme } from '../Theme.tsx';

/** Renders a component at a path below /console. */
export function renderConsole(
  children: ReactNode,
  address = '/',
  queryClient = createQueryClient(),
): RenderResult {
  history.replaceState(null, '', `/console${address}`);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  notifications.clean();
  return render(
    <I18nProvider i18n={i18n}>
      <Theme env="test">
        <QueryClientProvider client={queryClient}>
          <Notifications />
          <Router base="/console">{children}</Router>
        </QueryClientProvider>
      </Theme>
    </I18nProvider>,
  );
}

/** Renders a screen for an operator with these permissions, with the dialog that asks for a code. */
export function renderScreen(
  children: ReactNode,
  { permissions = [], address = '/' }: { permissions?: readonly string[]; address?: string } = {},
): RenderResult {
  const queryClient = createQueryClient();
  queryClient.setQueryData(sessionQuery.queryKey, { name: 'vy', roles: ['owner'], permissions });
  return renderConsole(
    <>
      {children}
      <Confirmation />
    </>,
    address,
    queryClient,
  );
}
