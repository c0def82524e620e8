/** What people write between digits, and what pasted numbers carry unseen. */
const between = /[\s.()\-\u2010-\u2015\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** A number as it is dialled inside its country: without what stands between digits, nor the country's own code. */
export function nationalNumber(typed: string, dialing: string): string {
  const bare = typed.replaceAll(between, '');
  if (dialing === '') return bare;
  const code = [`+${dialing}`, `00${dialing}`].find((one) => bare.startsWith(one)) ?? '';
  return bare.slice(code.length);
}

/** A number as it follows the country's code: without the 0 that is dialled inside the country. */
export function subscriberNumber(typed: string, dialing: string): string {
  return nationalNumber(typed, dialing).replace(/^0/, '');
}
