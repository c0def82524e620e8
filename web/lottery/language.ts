import { i18n, type Messages } from '@lingui/core';

import { defaultLanguage, directionOf, isLanguage, type Language } from '../src/i18n/languages.ts';

const catalogues: Record<Language, () => Promise<{ messages: Messages }>> = {
  vi: () => import('./locales/vi.po'),
  en: () => import('./locales/en.po'),
  ur: () => import('./locales/ur.po'),
  pt: () => import('./locales/pt.po'),
};

/** Loads and activates a language. Unknown languages fall back to the default. */
export async function setLanguage(requested: string): Promise<void> {
  const lower = requested.toLowerCase();
  const language = isLanguage(lower) ? lower : defaultLanguage;
  const { messages } = await catalogues[language]();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}
