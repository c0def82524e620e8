import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { inGate } from './tag.ts';

export const languages = ['vi', 'en', 'ur', 'pt'] as const;
export type Language = (typeof languages)[number];

/** The gate tests Vietnamese and Urdu. `make soak` tests all languages. */
export const tagOf = (language: Language) => inGate(language === 'vi' || language === 'ur');

const catalogues = new Map<Language, Map<string, string>>();

/** Returns the app's translation of an English text or a message id. */
export function translate(language: Language, id: string): string {
  let messages = catalogues.get(language);
  if (!messages) {
    messages = read(language);
    catalogues.set(language, messages);
  }
  const text = messages.get(id);
  if (!text) throw new Error(`${language} has no text for "${id}"`);
  return text;
}

function read(language: Language): Map<string, string> {
  const messages = new Map<string, string>();
  const folder = join(import.meta.dirname, '../../web/src/i18n/locales');
  for (const name of readdirSync(folder)) {
    const path = join(folder, name, `${language}.po`);
    for (const block of readFileSync(path, 'utf8').split(/\n\s*\n/)) {
      const id = field(block, 'msgid');
      const text = field(block, 'msgstr');
      if (id && text) messages.set(id, text);
    }
  }
  return messages;
}

/** Returns a field of a PO entry, with its continuation lines. */
function field(block: string, name: string): string {
  const found = new RegExp(`^${name} ((?:"(?:[^"\\\\]|\\\\.)*"\\s*)+)`, 'm').exec(block);
  if (!found?.[1]) return '';
  const parts = found[1].match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return parts.map((part) => JSON.parse(part) as string).join('');
}
