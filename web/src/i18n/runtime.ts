import { i18n, type Messages } from '@lingui/core';
import { create } from 'zustand';

import { localStore } from '../lib/storage.ts';
import { defaultLanguage, directionOf, isLanguage, type Language } from './languages.ts';

/** One chunk a language: only the one in use is ever loaded. */
const catalogues: Record<Language, () => Promise<{ messages: Messages }>> = {
  vi: () => import('./locales/vi.po'),
  en: () => import('./locales/en.po'),
  ur: () => import('./locales/ur.po'),
  pt: () => import('./locales/pt.po'),
};

const useLanguageStore = create<{ language: Language }>(() => ({ language: stored() }));

function stored(): Language {
  const value = localStore.get('lang');
  return isLanguage(value) ? value : defaultLanguage;
}

export const useLanguage = (): Language => useLanguageStore((state) => state.language);

export const currentLanguage = (): Language => useLanguageStore.getState().language;

let wanted: Language | null = null;

async function activate(language: Language): Promise<void> {
  wanted = language;
  const { messages } = await catalogues[language]();
  // Another choice was made while this catalogue was on its way.
  if (wanted !== language) return;
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  useLanguageStore.setState({ language });
}

/** Speaks the member's language before anything is shown. */
export function startLanguage(): Promise<void> {
  return activate(currentLanguage());
}

/** Changes the language at once and keeps the choice. It fails when the catalogue cannot be had. */
export async function chooseLanguage(language: Language): Promise<void> {
  await activate(language);
  localStore.set('lang', language);
}

/** Follows what is chosen in other tabs. Returns the function that stops following. */
export function followLanguage(): () => void {
  addEventListener('storage', followStorage);
  return () => removeEventListener('storage', followStorage);
}

function followStorage({ key }: StorageEvent): void {
  // A catalogue that cannot be had leaves this tab as it is.
  if (key === 'lang') activate(stored()).catch(() => {});
}
