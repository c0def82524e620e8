// The name that the next login begins with, for who has just set a password by other means. In memory only.

let name = '';

export function nameNextLogin(next: string): void {
  name = next;
}

/** Gives the name once. */
export function takeLoginName(): string {
  const taken = name;
  name = '';
  return taken;
}
