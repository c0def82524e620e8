import { useQuery } from '@tanstack/react-query';

import { languageOfWire, type Language } from '../i18n/languages.ts';
import { useLanguage } from '../i18n/runtime.ts';
import { settingsQuery } from './system.ts';

/** Returns all of the merchant's languages, and those for the main picker, which always include the current one. */
export function useLanguages(): { all: Language[]; picker: Language[] } {
  const { data: settings } = useQuery(settingsQuery);
  const current = useLanguage();
  const all = read(settings?.languages);
  const picker = read(settings?.pickerLanguages);
  if (all.includes(current) && !picker.includes(current)) picker.push(current);
  return { all, picker };
}

function read(codes: readonly string[] = []): Language[] {
  return codes.map(languageOfWire).filter((language) => language !== null);
}
