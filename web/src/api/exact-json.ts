/** A string and, where it is the name of a number, what follows it. Names inside of strings are passed over with them. */
const named =
  /("(?:[^"\\]|\\.)*")(?:(\s*:\s*)(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}]))?/g;

/**
 * Reads JSON, keeping the numbers under the given names as the decimal text they were written as.
 * An amount is an exact decimal on the wire, and a double would round the large ones. Not every engine that this
 * app is built for hands the written number to a reviver, so it is quoted before it is read.
 */
export function parseExact(json: string, names: ReadonlySet<string>): unknown {
  const quoted = json.replace(named, (whole, name: string, colon?: string, number?: string) =>
    number !== undefined && names.has(JSON.parse(name) as string)
      ? `${name}${colon}"${number}"`
      : whole,
  );
  return JSON.parse(quoted);
}
