/** A country's name in a language, from its two letters; as it came where nobody knows it. */
export function countryName(code: string, language: string): string {
  // Anything else is no name of a region to the browser, which throws.
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(code) ?? code;
}
