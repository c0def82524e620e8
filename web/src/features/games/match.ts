// Finds what was typed in a name, as the server does: whatever the accents and the case, every typed word has
// to begin a word of the name.

type Folded = {
  text: string;
  /** For each character of the text, where it begins in the name. */
  at: number[];
};

/** A name without accents, in small letters, anything between words as one space. */
function fold(name: string): Folded {
  let text = '';
  const at: number[] = [];
  let begin = 0;
  for (const letter of name) {
    for (const part of letter.normalize('NFKD').toLowerCase()) {
      if (/\p{Mn}/u.test(part)) continue;
      const plain = /[\p{L}\p{Nd}]/u.test(part) ? (part === 'đ' ? 'd' : part) : ' ';
      if (plain === ' ' && (text === '' || text.endsWith(' '))) continue;
      text += plain;
      for (let i = 0; i < plain.length; i += 1) at.push(begin);
    }
    begin += letter.length;
  }
  at.push(name.length);
  return { text, at };
}

const wordsOf = (text: string) => text.split(' ').filter(Boolean);

/** The words of a name as they are compared. */
export const foldedWords = (name: string) => wordsOf(fold(name).text);

/** How many words of a typed name are looked for. */
const wordsMost = 8;

/** In characters, as the server counts them. */
const lengthOf = (word: string) => Array.from(word).length;

/** The typed words that count: one that begins another asks for nothing more, and of many the longest say most. */
function sought(typed: string): string[] {
  const sorted = foldedWords(typed).toSorted();
  const kept = sorted.filter((word, i) => !sorted[i + 1]?.startsWith(word));
  if (kept.length <= wordsMost) return kept;
  return kept.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, wordsMost);
}

/** Whether a name is among what a search finds. Signs alone are in no name. */
export function matches(name: string, typed: string): boolean {
  if (typed.trim() === '') return true;
  const words = foldedWords(name);
  const parts = sought(typed);
  return parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part)));
}

/** A part of a name, found or not. */
export type Piece = { text: string; found: boolean; at: number };

/** A name in pieces: those that were typed, and what stands between them. */
export function piecesOf(name: string, typed: string): Piece[] {
  const parts = foldedWords(typed);
  const { text, at } = fold(name);
  const found = Array.from({ length: name.length }, () => false);
  for (let start = 0; start < text.length; start += 1) {
    if (start > 0 && text[start - 1] !== ' ') continue;
    const length = Math.max(
      0,
      ...parts.filter((part) => text.startsWith(part, start)).map((part) => part.length),
    );
    if (length > 0) found.fill(true, at[start], at[start + length]);
  }
  const pieces: Piece[] = [];
  for (let i = 0; i < name.length; i += 1) {
    const last = pieces.at(-1);
    if (last && last.found === found[i]) last.text += name[i]!;
    else pieces.push({ text: name[i]!, found: found[i]!, at: i });
  }
  return pieces;
}
