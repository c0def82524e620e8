/** Returns a country's name, or its code when the name is unknown. */
export function countryName(code: string, language: string): string {
  // Intl throws on other texts.
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(code) ?? code;
}
