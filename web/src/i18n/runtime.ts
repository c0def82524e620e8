import { i18n, type Messages } from '@lingui/core';
import { startTransition } from 'react';
import { create } from 'zustand';

import { pageMeta } from '../lib/page-meta.ts';
import { localStore } from '../lib/storage.ts';
import { defaultLanguage, directionOf, isLanguage, type Language } from './languages.ts';

type Catalogues = Record<Language, () => Promise<{ messages: Messages }>>;

/** What the shell and home say. Of all languages only the one in use is ever loaded. */
const first: Catalogues = {
  vi: () => import('./locales/vi.po'),
  en: () => import('./locales/en.po'),
  ur: () => import('./locales/ur.po'),
  pt: () => import('./locales/pt.po'),
};

/** What every further screen says, so that home need not wait for it. */
const further: Catalogues = {
  vi: () => import('./locales/further/vi.po'),
  en: () => import('./locales/further/en.po'),
  ur: () => import('./locales/further/ur.po'),
  pt: () => import('./locales/further/pt.po'),
};

const useLanguageStore = create<{ language: Language }>(() => ({ language: stored() }));

/** The stored choice, else the merchant's. */
function stored(): Language {
  const told = [localStore.get('lang'), pageMeta('default-language')];
  return told.find(isLanguage) ?? defaultLanguage;
}

export const useLanguage = (): Language => useLanguageStore((state) => state.language);

export const currentLanguage = (): Language => useLanguageStore.getState().language;

let wanted: Language | null = null;
let wantsFurther = false;
const loaded = new Set<Messages>();

async function load(language: Language): Promise<void> {
  const furtherToo = wantsFurther;
  const parts = furtherToo ? [first, further] : [first];
  for (const { messages } of await Promise.all(parts.map((part) => part[language]()))) {
    if (loaded.has(messages)) continue;
    loaded.add(messages);
    // All that speaks is rendered anew: piece by piece, for it may be scrolled just then.
    startTransition(() => i18n.load(language, { ...messages }));
  }
  // A further screen may have been opened meanwhile.
  if (furtherToo !== wantsFurther) await load(language);
}

async function activate(language: Language): Promise<void> {
  wanted = language;
  await load(language);
  // Another choice was made while this catalogue was on its way.
  if (wanted !== language) return;
  i18n.activate(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  useLanguageStore.setState({ language });
}

/** Speaks the member's language before anything is shown. */
export function startLanguage(): Promise<void> {
  return activate(currentLanguage());
}

/** Brings the words of the screens beyond home, now and with every change of language from here on. */
export function screenMessages(): Promise<void> {
  wantsFurther = true;
  return load(currentLanguage());
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
