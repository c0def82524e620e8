import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { inGate } from './tag.ts';

export const languages = ['vi', 'en', 'ur', 'pt'] as const;
export type Language = (typeof languages)[number];

/** The gate walks a journey in Vietnamese and in Urdu; further languages are for `make soak`. */
export const tagOf = (language: Language) => inGate(language === 'vi' || language === 'ur');

const catalogues = new Map<Language, Map<string, string>>();

/**
 * What the app says in a language for an English text or a message id, from the app's own catalogues: the
 * tests find things by what the member reads.
 */
export function say(language: Language, id: string): string {
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

/** A field of a block: the quoted text behind its name and the quoted lines that follow. */
function field(block: string, name: string): string {
  const found = new RegExp(`^${name} ((?:"(?:[^"\\\\]|\\\\.)*"\\s*)+)`, 'm').exec(block);
  if (!found?.[1]) return '';
  const parts = found[1].match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return parts.map((part) => JSON.parse(part) as string).join('');
}
