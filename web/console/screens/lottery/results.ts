// A regional result while an operator types it.
import type { PrizeForm, Prizes } from './draws.tsx';

/** The numbers of each prize as one text, separated by spaces. */
export type ResultDraft = Readonly<Record<string, string>>;

export const draftOf = (form: readonly PrizeForm[], prizes: Prizes = {}): ResultDraft =>
  Object.fromEntries(form.map(({ code }) => [code, (prizes[code] ?? []).join(' ')]));

const numbersOf = (text: string): string[] => text.split(/[\s,;-]+/u).filter(Boolean);

/** What is wrong with the numbers of a prize. */
export type PrizeProblem = 'count' | 'digits';

export function problemOf({ count, digits }: PrizeForm, text: string): PrizeProblem | null {
  const numbers = numbersOf(text);
  if (numbers.some((number) => !/^\d+$/u.test(number) || number.length !== digits)) return 'digits';
  return numbers.length === count ? null : 'count';
}

/** Reports whether a long number occurs twice in a prize, which is almost always a mistake. */
export const hasRepeated = (form: readonly PrizeForm[], draft: ResultDraft): boolean =>
  form.some(({ code, digits }) => {
    const numbers = numbersOf(draft[code] ?? '');
    return digits >= 4 && new Set(numbers).size < numbers.length;
  });

export const prizesOf = (form: readonly PrizeForm[], draft: ResultDraft): Prizes =>
  Object.fromEntries(form.map(({ code }) => [code, numbersOf(draft[code] ?? '')]));

/** The text of a result: `DB=01234;G1=…`. */
export const resultText = (prizes: Prizes): string =>
  Object.entries(prizes)
    .map(([code, numbers]) => `${code}=${numbers.join(',')}`)
    .join(';');

/** Parses an imported text into a draft: `DB=…;G1=…`, one prize per line, or the JSON of the API. */
export function parseImport(text: string): ResultDraft | null {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return parseJson(trimmed);
  const draft: Record<string, string> = {};
  for (const row of trimmed.split(/[;\n]+/u)) {
    const [, code = '', numbers = ''] = /^\s*(\w+)\s*[=:]\s*(.*)$/u.exec(row) ?? [];
    if (!code || code in draft) return null;
    draft[code] = numbersOf(numbers).join(' ');
  }
  return draft;
}

function parseJson(text: string): ResultDraft | null {
  try {
    const parsed = JSON.parse(text) as { prizes?: unknown };
    const prizes = (parsed.prizes ?? parsed) as Record<string, unknown>;
    const rows = Object.entries(prizes).map(([code, numbers]) =>
      Array.isArray(numbers) ? [code, numbers.join(' ')] : null,
    );
    return rows.includes(null) ? null : Object.fromEntries(rows as [string, string][]);
  } catch {
    return null;
  }
}
