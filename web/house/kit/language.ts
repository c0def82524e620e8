import { i18n, type Messages } from '@lingui/core';

import {
  defaultLanguage,
  directionOf,
  isLanguage,
  type Language,
} from '../../src/i18n/languages.ts';

const catalogues: Record<Language, () => Promise<{ messages: Messages }>> = {
  vi: () => import('../locales/vi.po'),
  en: () => import('../locales/en.po'),
  ur: () => import('../locales/ur.po'),
  pt: () => import('../locales/pt.po'),
};

let current: Language = defaultLanguage;

export const language = (): Language => current;

/** Loads and activates a language. Unknown languages fall back to the default. */
export async function setLanguage(requested: string): Promise<void> {
  const lower = requested.toLowerCase();
  const chosen = isLanguage(lower) ? lower : defaultLanguage;
  const { messages } = await catalogues[chosen]();
  current = chosen;
  i18n.loadAndActivate({ locale: chosen, messages });
  document.documentElement.lang = chosen;
  document.documentElement.dir = directionOf(chosen);
}
