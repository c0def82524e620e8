/** The part of the reviver's context that newer engines hand over: the number as it was written. */
type Context = { source?: string };

/**
 * Reads JSON, keeping the numbers under the given names as the decimal text they were written as.
 * An amount is an exact decimal on the wire, and a double would round the large ones.
 */
export function parseExact(json: string, names: ReadonlySet<string>): unknown {
  const keep = (name: string, value: unknown, context?: Context) =>
    typeof value === 'number' && names.has(name) ? (context?.source ?? String(value)) : value;
  return JSON.parse(json, keep);
}
