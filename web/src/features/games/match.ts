// Matches names as the server does: ignoring accents and case, each typed word must be a prefix of a word in the name.

type Folded = {
  text: string;
  /** For each character of the text, its position in the name. */
  positions: number[];
};

/** Returns a name in lower case without accents, with single spaces between words. */
function fold(name: string): Folded {
  let text = '';
  const positions: number[] = [];
  let position = 0;
  for (const letter of name) {
    for (const part of letter.normalize('NFKD').toLowerCase()) {
      if (/\p{Mn}/u.test(part)) continue;
      const plain = /[\p{L}\p{Nd}]/u.test(part) ? (part === 'đ' ? 'd' : part) : ' ';
      if (plain === ' ' && (text === '' || text.endsWith(' '))) continue;
      text += plain;
      for (let i = 0; i < plain.length; i += 1) positions.push(position);
    }
    position += letter.length;
  }
  positions.push(name.length);
  return { text, positions };
}

const wordsOf = (text: string) => text.split(' ').filter(Boolean);

export const foldedWords = (name: string) => wordsOf(fold(name).text);

const maxWords = 8;

/** Counts characters as the server does. */
const lengthOf = (word: string) => Array.from(word).length;

/** Returns the longest typed words, without those that are a prefix of another. */
function wordsToFind(typed: string): string[] {
  const sorted = foldedWords(typed).toSorted();
  const distinct = sorted.filter((word, i) => !sorted[i + 1]?.startsWith(word));
  if (distinct.length <= maxWords) return distinct;
  return distinct.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, maxWords);
}

/** Reports whether a search finds a name. Punctuation alone finds nothing. */
export function matches(name: string, typed: string): boolean {
  if (typed.trim() === '') return true;
  const words = foldedWords(name);
  const parts = wordsToFind(typed);
  return parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part)));
}

export type Piece = { text: string; found: boolean; at: number };

/** Splits a name into matched and unmatched pieces. */
export function splitMatches(name: string, typed: string): Piece[] {
  const parts = foldedWords(typed);
  const { text, positions } = fold(name);
  const found = Array.from({ length: name.length }, () => false);
  for (let start = 0; start < text.length; start += 1) {
    if (start > 0 && text[start - 1] !== ' ') continue;
    const length = Math.max(
      0,
      ...parts.filter((part) => text.startsWith(part, start)).map((part) => part.length),
    );
    if (length > 0) found.fill(true, positions[start], positions[start + length]);
  }
  const pieces: Piece[] = [];
  for (let i = 0; i < name.length; i += 1) {
    const last = pieces.at(-1);
    if (last && last.found === found[i]) last.text += name[i]!;
    else pieces.push({ text: name[i]!, found: found[i]!, at: i });
  }
  return pieces;
}
