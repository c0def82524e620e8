/** From 0 for nothing typed to 4. Only a hint for whoever types: what is taken is for the rules to say. */
export type Strength = 0 | 1 | 2 | 3 | 4;

const long = 12;
const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/];

export function strengthOf(password: string): Strength {
  if (password === '') return 0;
  const used = kinds.filter((kind) => kind.test(password)).length;
  // The same few characters over and over are guessed as one.
  const different = new Set(password).size;
  if (password.length < 8 || used < 2 || different < 5) return 1;
  const better = (used > 2 ? 1 : 0) + (password.length >= long ? 1 : 0);
  return (2 + better) as Strength;
}
