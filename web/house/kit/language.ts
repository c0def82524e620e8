// The frame's words, in the language that the app speaks. Only the catalogue in use is loaded.
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

let spoken: Language = defaultLanguage;

export const language = (): Language => spoken;

/** Speaks a language from now on; one that is not known is the default. */
export async function speak(wanted: string): Promise<void> {
  const lower = wanted.toLowerCase();
  const chosen = isLanguage(lower) ? lower : defaultLanguage;
  const { messages } = await catalogues[chosen]();
  spoken = chosen;
  i18n.loadAndActivate({ locale: chosen, messages });
  document.documentElement.lang = chosen;
  document.documentElement.dir = directionOf(chosen);
}
