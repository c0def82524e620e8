/** From 0 for empty to 4. Only a hint: the rules decide which passwords are valid. */
export type Strength = 0 | 1 | 2 | 3 | 4;

const longPassword = 12;
const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/];

export type Advice = 'longer' | 'varied' | 'mixed';

export function strengthOf(password: string): Strength {
  if (password === '') return 0;
  const kindsUsed = kinds.filter((kind) => kind.test(password)).length;
  // Repeated characters are easy to guess.
  const distinct = new Set(password).size;
  if (password.length < 8 || kindsUsed < 2 || distinct < 5) return 1;
  const bonus = (kindsUsed > 2 ? 1 : 0) + (password.length >= longPassword ? 1 : 0);
  return (2 + bonus) as Strength;
}

/** Returns the next improvement, or null for a strong or empty password. */
export function adviceOf(password: string): Advice | null {
  if (password === '') return null;
  const kindsUsed = kinds.filter((kind) => kind.test(password)).length;
  if (kindsUsed < 2) return 'mixed';
  if (password.length >= 8 && new Set(password).size < 5) return 'varied';
  if (password.length < longPassword) return 'longer';
  return kindsUsed < 3 ? 'mixed' : null;
}
