/** Matches a string and, if it is the name of a number, the number. Strings are consumed whole, so names inside them do not match. */
const namedNumber =
  /("(?:[^"\\]|\\.)*")(?:(\s*:\s*)(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}]))?/g;

/**
 * Parses JSON and returns the numbers with the given names as decimal text. Amounts are exact on the wire, and a double would round large
 * ones. Older browsers do not pass the source text to a reviver, so this quotes the numbers before parsing.
 */
export function parseExact(json: string, names: ReadonlySet<string>): unknown {
  const quoted = json.replace(namedNumber, (whole, name: string, colon?: string, number?: string) =>
    number !== undefined && names.has(JSON.parse(name) as string)
      ? `${name}${colon}"${number}"`
      : whole,
  );
  return JSON.parse(quoted);
}
