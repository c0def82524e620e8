import { i18n, type Messages } from '@lingui/core';

import { localStore } from '../src/lib/storage.ts';

const catalogues = {
  en: () => import('./locales/en.po'),
  vi: () => import('./locales/vi.po'),
} satisfies Record<string, () => Promise<{ messages: Messages }>>;

export type Language = keyof typeof catalogues;

export const languageNames: Record<Language, string> = { en: 'English', vi: 'Tiếng Việt' };

const storageKey = 'console.language';

const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(catalogues, value);

async function activate(language: Language): Promise<void> {
  const { messages } = await catalogues[language]();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
}

/** Loads the operator's language: the stored choice, else that of the browser. */
export function startLanguage(): Promise<void> {
  const stored = localStore.get(storageKey);
  const preferred = navigator.language.startsWith('vi') ? 'vi' : 'en';
  return activate(isLanguage(stored) ? stored : preferred);
}

/** Changes the language and stores the choice. It rejects when the catalogue cannot be loaded. */
export async function chooseLanguage(language: Language): Promise<void> {
  await activate(language);
  localStore.set(storageKey, language);
}
