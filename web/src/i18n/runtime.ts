import { i18n, type Messages } from '@lingui/core';
import { startTransition } from 'react';
import { create } from 'zustand';

import { pageMeta } from '../lib/page-meta.ts';
import { localStore } from '../lib/storage.ts';
import { defaultLanguage, directionOf, isLanguage, type Language } from './languages.ts';

/** Messages for the app shell and the home screen. They are in the initial bundle. */
const baseMessages: Record<Language, () => Promise<{ messages: Messages }>> = {
  vi: () => import('./locales/home/vi.po'),
  en: () => import('./locales/home/en.po'),
  ur: () => import('./locales/home/ur.po'),
  pt: () => import('./locales/home/pt.po'),
};

const useLanguageStore = create<{ language: Language }>(() => ({ language: preferredLanguage() }));

/** Returns the language that the user saved, or else the merchant's default. */
function preferredLanguage(): Language {
  const choices = [localStore.get('lang'), pageMeta('default-language')];
  return choices.find(isLanguage) ?? defaultLanguage;
}

export const useLanguage = (): Language => useLanguageStore((state) => state.language);

export const currentLanguage = (): Language => useLanguageStore.getState().language;

/** The language most recently requested. */
let pendingLanguage: Language | null = null;
/** Catalogues of the screens opened so far. A change of language loads all of them. */
const catalogues = new Set<string>();
const loaded = new Set<Messages>();

async function load(language: Language): Promise<void> {
  const names = [...catalogues];
  const [base, screens] = await Promise.all([
    baseMessages[language](),
    loadScreens(names, language),
  ]);
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
  pendingLanguage = language;
  await load(language);
  // Another language was chosen while this one loaded.
  if (pendingLanguage !== language) return;
  i18n.activate(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  useLanguageStore.setState({ language });
}

/** Loads the member's language before anything is shown. */
export function startLanguage(): Promise<void> {
  return activate(currentLanguage());
}

/** Loads the messages that all screens except home share, and the messages of one feature. */
export function loadScreenMessages(feature?: string): Promise<void> {
  catalogues.add('shared');
  if (feature) catalogues.add(feature);
  return load(currentLanguage());
}

/** Changes the language and stores the choice. Rejects if a catalogue cannot be loaded. */
export async function chooseLanguage(language: Language): Promise<void> {
  await activate(language);
  localStore.set('lang', language);
}

/** Follows language changes in other tabs. Returns a function that stops it. */
export function watchLanguage(): () => void {
  addEventListener('storage', followStorage);
  return () => removeEventListener('storage', followStorage);
}

function followStorage({ key }: StorageEvent): void {
  // This tab keeps its language when a catalogue cannot be loaded.
  if (key === 'lang') activate(preferredLanguage()).catch(() => {});
}
