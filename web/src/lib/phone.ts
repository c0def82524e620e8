/** Separators in typed numbers, and invisible characters in pasted ones. */
const between = /[\s.()\-\u2010-\u2015\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Returns a number as dialled in its country: digits only, without the country's code. */
export function nationalNumber(typed: string, dialing: string): string {
  const bare = typed.replaceAll(between, '');
  if (dialing === '') return bare;
  const code = [`+${dialing}`, `00${dialing}`].find((one) => bare.startsWith(one)) ?? '';
  return bare.slice(code.length);
}

/** Returns a number without its leading 0, to follow the country's code. */
export function subscriberNumber(typed: string, dialing: string): string {
  return nationalNumber(typed, dialing).replace(/^0/, '');
}
