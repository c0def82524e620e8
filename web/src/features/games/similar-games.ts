// Finds games with names similar to a mistyped one.
import { foldedWords } from './match.ts';

/** Each word is a separate request. */
const maxWords = 3;
const maxGames = 6;

export function searchWords(typed: string): string[] {
  const words = [...new Set(foldedWords(typed))].filter((word) => word.length > 1);
  return words.toSorted((a, b) => b.length - a.length).slice(0, maxWords);
}

/** Returns the most similar games first. */
export function similarGames<G extends { name: string }>(games: readonly G[], typed: string): G[] {
  const words = [...new Set(foldedWords(typed))];
  const rated = games
    .map((game) => ({ game, score: similarity(foldedWords(game.name), words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  // A much better match excludes games that share one short word.
  const least = (rated[0]?.score ?? 0) / 2;
  return rated
    .filter(({ score }) => score >= least)
    .slice(0, maxGames)
    .map(({ game }) => game);
}

/** Scores a name by its matching words and letters. */
function similarity(name: readonly string[], typed: readonly string[]): number {
  return typed.reduce((sum, word) => {
    const mistakes = Math.min(...name.map((own) => wordDistance(word, own)));
    return mistakes > Math.floor(word.length / 4) ? sum : sum + 1 + word.length - mistakes;
  }, 0);
}

/** Returns the edit distance of a typed word that may be unfinished. Words of one or two letters count as finished. */
function wordDistance(typed: string, own: string): number {
  const whole = editDistance(typed, own);
  return typed.length < 3
    ? whole
    : Math.min(whole, editDistance(typed, own.slice(0, typed.length)));
}

/** Returns the Damerau–Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, before[j - 2]! + 1);
      }
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above[b.length]!;
}
