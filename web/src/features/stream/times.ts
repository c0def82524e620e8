import type { Language } from '../../i18n/languages.ts';

/** Returns a day and time in the reader's language and zone. */
export const formatTime = (ms: number, language: Language): string =>
  new Intl.DateTimeFormat(`${language}-u-nu-latn`, {
    day: 'numeric',
    month: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(ms);
