// Renders a component with the English source texts.
import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });

function TestLanguage({ children }: { children: ReactNode }) {
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>;
}

export function renderUi(element: ReactElement): RenderResult {
  return render(element, { wrapper: TestLanguage });
}
