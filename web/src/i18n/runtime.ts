import { i18n, type Messages } from '@lingui/core';
import { startTransition } from 'react';
import { create } from 'zustand';

import { pageMeta } from '../lib/page-meta.ts';
import { localStore } from '../lib/storage.ts';
import { defaultLanguage, directionOf, isLanguage, type Language } from './languages.ts';

/** The messages of the shell and of home, part of the first load. */
const home: Record<Language, () => Promise<{ messages: Messages }>> = {
  vi: () => import('./locales/home/vi.po'),
  en: () => import('./locales/home/en.po'),
  ur: () => import('./locales/home/ur.po'),
  pt: () => import('./locales/home/pt.po'),
};

const useLanguageStore = create<{ language: Language }>(() => ({ language: stored() }));

/** The stored choice, else the merchant's. */
function stored(): Language {
  const choices = [localStore.get('lang'), pageMeta('default-language')];
  return choices.find(isLanguage) ?? defaultLanguage;
}

export const useLanguage = (): Language => useLanguageStore((state) => state.language);

export const currentLanguage = (): Language => useLanguageStore.getState().language;

let wanted: Language | null = null;
/** Catalogues of the screens opened so far. A change of language loads all of them. */
const catalogues = new Set<string>();
const loaded = new Set<Messages>();

async function load(language: Language): Promise<void> {
  const names = [...catalogues];
  const [base, screens] = await Promise.all([home[language](), loadScreens(names, language)]);
  for (const { messages } of [base, ...screens]) {
    if (loaded.has(messages)) continue;
    loaded.add(messages);
    // A transition, because every text renders again and the page may be scrolling.
    startTransition(() => i18n.load(language, { ...messages }));
  }
  // Another screen may have been opened meanwhile.
  if (names.length !== catalogues.size) await load(language);
}

async function loadScreens(names: readonly string[], language: Language) {
  if (names.length === 0) return [];
  const { loadCatalogue } = await import('./catalogues.ts');
  return Promise.all(names.map((name) => loadCatalogue(name, language)));
}

async function activate(language: Language): Promise<void> {
  wanted = language;
  await load(language);
  // Another language was chosen while this one loaded.
  if (wanted !== language) return;
  i18n.activate(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  useLanguageStore.setState({ language });
}

/** Loads the member's language before anything is shown. */
export function startLanguage(): Promise<void> {
  return activate(currentLanguage());
}

/** Loads the messages that all screens but home share, and those of one feature. */
export function screenMessages(feature?: string): Promise<void> {
  catalogues.add('shared');
  if (feature) catalogues.add(feature);
  return load(currentLanguage());
}

/** Changes the language and stores the choice. It rejects when a catalogue cannot be loaded. */
export async function chooseLanguage(language: Language): Promise<void> {
  await activate(language);
  localStore.set('lang', language);
}

/** Follows the choice made in other tabs. Returns a function that stops it. */
export function watchLanguage(): () => void {
  addEventListener('storage', followStorage);
  return () => removeEventListener('storage', followStorage);
}

function followStorage({ key }: StorageEvent): void {
  // This tab keeps its language when a catalogue cannot be loaded.
  if (key === 'lang') activate(stored()).catch(() => {});
}
