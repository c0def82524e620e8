// Which games come near to a name that finds none: those with most of its letters, though some were mistyped.
import { foldedWords } from './match.ts';

/** How many typed words are asked for, each by a call of its own. */
const mostWords = 3;
/** The most that is shown below an empty list. */
const mostNear = 6;

/** The words of a typed name that tell most: the longest. */
export function tellingWords(typed: string): string[] {
  const words = [...new Set(foldedWords(typed))].filter((word) => word.length > 1);
  return words.toSorted((a, b) => b.length - a.length).slice(0, mostWords);
}

/** Of these games those whose names come near to what was typed, the similarGames first. */
export function similarGames<G extends { name: string }>(games: readonly G[], typed: string): G[] {
  const words = [...new Set(foldedWords(typed))];
  const rated = games
    .map((game) => ({ game, score: nearness(foldedWords(game.name), words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  // One short word in common is near only where nothing comes nearer.
  const least = (rated[0]?.score ?? 0) / 2;
  return rated
    .filter(({ score }) => score >= least)
    .slice(0, mostNear)
    .map(({ game }) => game);
}

/** How many of the typed letters a name has, in words that it shares or nearly shares; of two the one with more words. */
function nearness(name: readonly string[], typed: readonly string[]): number {
  return typed.reduce((sum, word) => {
    const mistakes = Math.min(...name.map((own) => mistakesIn(word, own)));
    return mistakes > Math.floor(word.length / 4) ? sum : sum + 1 + word.length - mistakes;
  }, 0);
}

/** The mistakes in a typed word that may not have been finished; one letter or two are taken as a whole word. */
function mistakesIn(typed: string, own: string): number {
  const whole = distance(typed, own);
  return typed.length < 3 ? whole : Math.min(whole, distance(typed, own.slice(0, typed.length)));
}

/** How many letters have to be added, dropped, changed or swapped with the next to make one word of the other. */
function distance(a: string, b: string): number {
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
