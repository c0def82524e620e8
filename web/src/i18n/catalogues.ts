import type { Messages } from '@lingui/core';

import type { Language } from './languages.ts';

const files = import.meta.glob<{ messages: Messages }>([
  './locales/*/*.po',
  '!./locales/home/*.po',
]);

/** Loads one catalogue. A feature without messages has none. */
export async function loadCatalogue(
  name: string,
  language: Language,
): Promise<{ messages: Messages }> {
  return (await files[`./locales/${name}/${language}.po`]?.()) ?? { messages: {} };
}
