/** The languages of the app, as in `lang` attributes and catalogue names. */
export const languages = ['vi', 'en', 'ur', 'pt'] as const;

export type Language = (typeof languages)[number];

export const defaultLanguage: Language = 'vi';

export function isLanguage(value: unknown): value is Language {
  return languages.includes(value as Language);
}

/** Returns the language as the server names it. */
export function wireLanguage(language: Language): Uppercase<Language> {
  return language.toUpperCase() as Uppercase<Language>;
}

export function languageOfWire(value: string): Language | null {
  const lower = value.toLowerCase();
  return isLanguage(lower) ? lower : null;
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ur' ? 'rtl' : 'ltr';
}

/** The name of each language in the language itself. */
export const languageNames: Record<Language, string> = {
  vi: 'Tiếng Việt',
  en: 'English',
  ur: 'اردو',
  pt: 'Português',
};
